package meridian.fleet.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import meridian.fleet.failure.Breaker.State;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;

  private final Breaker breaker = new Breaker(100 * MS, new SplittableRandom(3));
  private long now = -5 * SECOND;

  @Test
  void failed_threeConnectionsRunning_opens() {
    fail(2, Failure.CONNECTION);
    assertThat(breaker.state(now)).isEqualTo(State.CLOSED);
    fail(1, Failure.CONNECTION);
    assertThat(breaker.state(now)).isEqualTo(State.OPEN);
    assertThat(breaker.allows(now)).isFalse();
  }

  @Test
  void failed_fiveErrorsRunning_opens() {
    fail(4, Failure.SERVER);
    succeed(1, 10 * MS);
    fail(4, Failure.SERVER);
    assertThat(breaker.state(now)).isEqualTo(State.CLOSED);
    fail(1, Failure.SERVER);
    assertThat(breaker.state(now)).isEqualTo(State.OPEN);
  }

  @Test
  void failed_connectionsBetweenAnswers_doNotOpenByThree() {
    for (int i = 0; i < 6; i++) {
      fail(2, Failure.CONNECTION);
      succeed(4, 10 * MS);
    }
    assertThat(breaker.state(now)).isEqualTo(State.CLOSED);
  }

  @Test
  void failed_halfOfTwenty_opens() {
    for (int i = 0; i < 9; i++) {
      succeed(1, 10 * MS);
      fail(1, Failure.SERVER);
    }
    assertThat(breaker.state(now)).isEqualTo(State.CLOSED);
    succeed(1, 10 * MS);
    fail(1, Failure.SERVER);
    assertThat(breaker.state(now)).isEqualTo(State.OPEN);
  }

  @Test
  void succeeded_threeTimesSlowerThanEver_opensOnlyAboveTheBudget() {
    succeed(2_000, 10 * MS);
    succeed(200, 60 * MS);
    assertThat(breaker.state(now)).as("within the budget").isEqualTo(State.CLOSED);

    Breaker other = new Breaker(50 * MS, new SplittableRandom(3));
    for (int i = 0; i < 2_000; i++) {
      other.succeeded(now += 10 * MS, 10 * MS);
    }
    for (int i = 0; i < 200 && other.state(now) == State.CLOSED; i++) {
      other.succeeded(now += 10 * MS, 60 * MS);
    }
    assertThat(other.state(now)).isEqualTo(State.OPEN);
  }

  @Test
  void succeeded_alwaysSlow_staysClosed() {
    succeed(5_000, 400 * MS);
    assertThat(breaker.state(now)).isEqualTo(State.CLOSED);
  }

  @Test
  void allows_afterItsTime_oneTrialEachHalfSecond() {
    fail(3, Failure.CONNECTION);
    now += 2 * SECOND;
    assertThat(breaker.state(now)).isEqualTo(State.TRIAL);
    assertThat(breaker.allows(now)).isTrue();

    breaker.sent(now);
    assertThat(breaker.allows(now)).isFalse();
    assertThat(breaker.allows(now + 499 * MS)).isFalse();
    assertThat(breaker.allows(now + 500 * MS)).isTrue();
  }

  @Test
  void succeeded_threeTrials_closes() {
    fail(3, Failure.CONNECTION);
    now += 2 * SECOND;
    succeed(2, 10 * MS);
    assertThat(breaker.state(now)).isEqualTo(State.TRIAL);
    succeed(1, 10 * MS);
    assertThat(breaker.state(now)).isEqualTo(State.CLOSED);
  }

  @Test
  void failed_trials_opensForLongerButNotBeyondAMinute() {
    fail(3, Failure.CONNECTION);
    long longest = 0;
    for (int i = 0; i < 200; i++) {
      long opened = now;
      while (breaker.state(now) == State.OPEN) {
        now += 100 * MS;
      }
      longest = Math.max(longest, now - opened);
      breaker.failed(now, Failure.SERVER);
    }
    assertThat(longest).isBetween(50 * SECOND, 60 * SECOND + 100 * MS);
  }

  @Test
  void failed_manyGateways_tryAgainAtDifferentTimes() {
    long first = openFor(1);
    assertThat(openFor(2)).isNotEqualTo(first);
    assertThat(first).isBetween(0L, 2 * SECOND);
  }

  private long openFor(long seed) {
    Breaker fresh = new Breaker(100 * MS, new SplittableRandom(seed));
    for (int i = 0; i < 3; i++) {
      fresh.failed(0, Failure.CONNECTION);
    }
    long nanos = 0;
    while (fresh.state(nanos) == State.OPEN) {
      nanos += MS;
    }
    return nanos;
  }

  private void fail(int times, Failure failure) {
    for (int i = 0; i < times; i++) {
      breaker.failed(now += MS, failure);
    }
  }

  private void succeed(int times, long latencyNanos) {
    for (int i = 0; i < times; i++) {
      breaker.succeeded(now += 10 * MS, latencyNanos);
    }
  }
}
