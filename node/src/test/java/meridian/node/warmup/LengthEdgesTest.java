package meridian.node.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LengthEdgesTest {

  private static final List<Integer> LENGTHS = List.of(8, 16, 24, 32, 48, 64);

  @Test
  void candidates_areTwoToEachDoubling() {
    assertThat(LengthEdges.candidates()).startsWith(8, 16, 24, 32, 48, 64, 96).isSorted();
  }

  @Test
  void among_timeInProportionToLength_keepsEveryLengthThatCostsAQuarterMore() {
    assertThat(LengthEdges.among(LENGTHS, length -> length * 1_000L))
        .containsExactly(8, 16, 24, 32, 48, 64);
  }

  @Test
  void among_timeThatHardlyGrows_joinsLengths() {
    assertThat(LengthEdges.among(LENGTHS, length -> 1_000 + length * 10L)).containsExactly(32, 64);
  }

  @Test
  void among_timesUnknownFromALengthOn_keepsAllLongerOnes() {
    assertThat(LengthEdges.among(LENGTHS, length -> length < 32 ? 1_000 : LengthEdges.UNKNOWN))
        .containsExactly(24, 32, 48, 64);
  }
}
