package meridian.fleet.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RegionHealthTest {

  private static final long SECOND = 1_000_000_000;

  private final RegionHealth health = new RegionHealth(RegionHealth.RAMP_NANOS);

  @Test
  void region_neverProbed_isNotUp() {
    assertThat(health.isUp()).isFalse();
    assertThat(health.share(0)).isZero();
  }

  @Test
  void answered_theFirstTime_isWhollyThere() {
    health.answered(0);
    assertThat(health.share(0)).isEqualTo(1);
  }

  @Test
  void missed_threeRunning_isDown() {
    health.answered(0);
    health.missed();
    health.missed();
    health.answered(0);
    health.missed();
    health.missed();
    assertThat(health.isUp()).isTrue();
    health.missed();
    assertThat(health.isUp()).isFalse();
  }

  @Test
  void answered_twiceAfterATrip_comesBackByAndBy() {
    health.answered(0);
    health.trip();
    health.answered(SECOND);
    assertThat(health.isUp()).isFalse();
    health.answered(2 * SECOND);

    assertThat(health.share(2 * SECOND)).isEqualTo(0.05);
    assertThat(health.share(17 * SECOND)).isCloseTo(Math.pow(0.5, 1 / 1.5), within(1e-9));
    assertThat(health.share(32 * SECOND)).isEqualTo(1);
    assertThat(health.share(33 * SECOND)).isEqualTo(1);
  }

  @Test
  void presence_dependsOnWhatPeersFind() {
    assertThat(Presence.of(true, 0, 0)).isEqualTo(Presence.THERE);
    assertThat(Presence.of(false, 0, 0)).isEqualTo(Presence.UNKNOWN);
    assertThat(Presence.of(false, 2, 1)).isEqualTo(Presence.UNREACHABLE);
    assertThat(Presence.of(false, 2, 0)).isEqualTo(Presence.DEAD);
  }
}
