package meridian.fleet.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RttEstimateTest {

  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;

  private final RttEstimate rtt = new RttEstimate();

  @Test
  void nanos_beforeTheFirst_isUnknown() {
    assertThat(rtt.nanos()).isEqualTo(RttEstimate.UNKNOWN);
    assertThat(rtt.upperNanos()).isEqualTo(RttEstimate.UNKNOWN);
  }

  @Test
  void nanos_queuesAddToSome_isTheLeast() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      rtt.record(100 * MS * i, 30 * MS + random.nextLong(200 * MS));
    }
    assertThat(rtt.nanos()).isCloseTo(30 * MS, within(5 * MS));
    assertThat(rtt.upperNanos()).isBetween(190 * MS, 230 * MS);
  }

  @Test
  void nanos_idleForAnHour_stays() {
    rtt.record(0, 40 * MS);
    assertThat(rtt.nanos()).isEqualTo(40 * MS);

    rtt.record(3_600 * SECOND, 40 * MS);
    assertThat(rtt.nanos()).isEqualTo(40 * MS);
  }

  @Test
  void nanos_shorterWay_isNoticedAtOnce() {
    rtt.record(0, 200 * MS);
    rtt.record(SECOND, 50 * MS);
    assertThat(rtt.nanos()).isEqualTo(50 * MS);
  }

  @Test
  void nanos_longerWay_isBelievedWithinWindows() {
    for (int second = 0; second < 20; second++) {
      rtt.record(second * SECOND, 30 * MS);
    }
    for (int second = 20; second < 80; second++) {
      rtt.record(second * SECOND, 210 * MS);
    }
    assertThat(rtt.nanos()).isCloseTo(210 * MS, within(6 * MS));
  }

  @Test
  void nanos_aboveTheLongAround_windowsWorkAtTheEndOfTime() {
    long start = Long.MAX_VALUE - 5 * SECOND;
    for (int second = 0; second < 40; second++) {
      rtt.record(start + second * SECOND, 30 * MS);
    }
    assertThat(rtt.nanos()).isEqualTo(30 * MS);
  }

  @Test
  void record_noTime_isRefused() {
    assertThatThrownBy(() -> rtt.record(0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rttNanos: 0 (expected: 1 or more)");
  }
}
