package meridian.core.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LatencyBreakdownTest {

  private static final long MS = 1_000_000;

  @Test
  void shares_ofTheLondonExample_areThosePublished() {
    LatencyBreakdown london = new LatencyBreakdown(100 * MS, 50 * MS, 0, 80 * MS, 5 * MS);
    assertThat(london.totalNanos()).isEqualTo(235 * MS);
    assertThat(london.share(Stage.NETWORK)).isCloseTo(0.425, within(0.001));
    assertThat(london.share(Stage.MODEL)).isCloseTo(0.340, within(0.001));
    assertThat(london.share(Stage.DATA)).isCloseTo(0.213, within(0.001));
    assertThat(london.share(Stage.SERVICE)).isCloseTo(0.021, within(0.001));
    assertThat(london.largest()).isEqualTo(Stage.NETWORK);
  }

  @Test
  void plus_eachStage_addsThereAlone() {
    for (Stage stage : Stage.values()) {
      LatencyBreakdown sum = new LatencyBreakdown(1, 2, 3, 4, 5).plus(stage, 10);
      for (Stage other : Stage.values()) {
        long before = 1L + other.ordinal();
        assertThat(sum.nanos(other)).isEqualTo(other == stage ? before + 10 : before);
      }
    }
  }

  @Test
  void filledTo_countsTheRemainderAsService() {
    LatencyBreakdown filled = new LatencyBreakdown(0, 1, 2, 3, 0).filledTo(10);
    assertThat(filled.serviceNanos()).isEqualTo(4);
    assertThat(filled.filledTo(3)).isEqualTo(filled);
  }

  @Test
  void construction_negative_throws() {
    assertThatThrownBy(() -> LatencyBreakdown.of(Stage.QUEUE, -1))
        .hasMessageContaining("expected: none negative");
  }
}
