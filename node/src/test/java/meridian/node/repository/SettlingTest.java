package meridian.node.repository;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SettlingTest {

  private final Settling<String, String> settling = new Settling<>(100);

  @Test
  void observe_sameValueASettleIntervalLater_isAtRest() {
    assertThat(settling.observe("k", "a", 0)).isFalse();
    assertThat(settling.observe("k", "a", 99)).isFalse();
    assertThat(settling.observe("k", "a", 100)).isTrue();
  }

  @Test
  void observe_valueThatChangesAndComesBack_startsAnew() {
    settling.observe("k", "a", 0);
    settling.observe("k", "b", 50);

    assertThat(settling.observe("k", "a", 120)).isFalse();
    assertThat(settling.observe("k", "a", 220)).isTrue();
  }

  @Test
  void observe_absence_comesToRestLikeAValue() {
    settling.observe("k", "a", 0);

    assertThat(settling.observe("k", null, 200)).isFalse();
    assertThat(settling.observe("k", null, 300)).isTrue();
  }

  @Test
  void observe_clockThatWrapsAround_measuresTheDifference() {
    settling.observe("k", "a", Long.MAX_VALUE - 50);

    assertThat(settling.observe("k", "a", Long.MIN_VALUE + 48)).isFalse();
    assertThat(settling.observe("k", "a", Long.MIN_VALUE + 49)).isTrue();
  }
}
