package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrioritiesTest {

  @Test
  void next_weighted_comesAsOftenAsItsWeight() {
    Priorities priorities = Priorities.parse("1:10,8:90");
    SplittableRandom random = new SplittableRandom(1);
    int[] drawn = IntStream.range(0, 10_000).map(_ -> priorities.next(random)).toArray();
    assertThat(drawn).containsOnly(1, 8);
    assertThat(IntStream.of(drawn).filter(priority -> priority == 1).count())
        .isBetween(900L, 1_100L);
    assertThat(priorities.text()).isEqualTo("1:10,8:90");
  }

  @Test
  void next_one_isAlwaysIt() {
    assertThat(Priorities.parse("3").next(new SplittableRandom(1))).isEqualTo(3);
    assertThat(Priorities.OF_THE_MODEL.next(new SplittableRandom(1))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "0, priority: 0 (expected: 1 or more)",
    "1:0, weight: 0 (expected: 1 or more)",
    "'1:10,', '1:10, (expected: a priority or PRIORITY:WEIGHT,PRIORITY:WEIGHT,…)'",
    "high, 'high (expected: a priority or PRIORITY:WEIGHT,PRIORITY:WEIGHT,…)'"
  })
  void parse_whatMakesNoSense_isRefused(String text, String message) {
    assertThatThrownBy(() -> Priorities.parse(text)).hasMessage(message);
  }
}
