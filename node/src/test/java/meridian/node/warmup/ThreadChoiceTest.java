package meridian.node.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ThreadChoiceTest {

  @Test
  void candidates_areThePowersOfTwoAndAllCores() {
    assertThat(new ThreadChoice(1, 1).candidates()).isEmpty();
    assertThat(new ThreadChoice(2, 2).candidates()).containsExactly(2);
    assertThat(new ThreadChoice(6, 6).candidates()).containsExactly(2, 4, 6);
    assertThat(new ThreadChoice(8, 8).candidates()).containsExactly(2, 4, 8);
  }

  @Test
  void among_fewLanes_takesTheThreadsThatMakeAnExecutionFastest() {
    assertThat(chosen(1, 4, Map.of(1, 100L, 2, 55L, 4, 40L))).isEqualTo(4);
  }

  @Test
  void among_aLaneForEachCore_keepsWhatTheMachineAnswers() {
    assertThat(chosen(4, 4, Map.of(1, 100L, 2, 60L, 4, 40L))).isEqualTo(1);
  }

  @Test
  void among_aGraphThatDividesAlmostWithoutLoss_usesThreadsAllTheSame() {
    assertThat(chosen(4, 4, Map.of(1, 100L, 2, 52L, 4, 40L))).isEqualTo(2);
  }

  @Test
  void among_halfAsManyLanesAsCores_dividesByTwo() {
    assertThat(chosen(2, 4, Map.of(1, 100L, 2, 60L, 4, 45L))).isEqualTo(2);
  }

  @Test
  void among_threadsThatHardlyHelp_takesFewer() {
    assertThat(chosen(1, 4, Map.of(1, 100L, 2, 60L, 4, 58L))).isEqualTo(2);
    assertThat(chosen(1, 2, Map.of(1, 100L, 2, 97L))).isEqualTo(1);
  }

  @Test
  void among_threadsThatHarm_takesOne() {
    assertThat(chosen(1, 2, Map.of(1, 100L, 2, 140L))).isEqualTo(1);
  }

  private static int chosen(int lanes, int cores, Map<Integer, Long> nanos) {
    return new ThreadChoice(lanes, cores).among(new TreeMap<>(nanos));
  }
}
