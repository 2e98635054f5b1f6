package meridian.fleet.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HedgePolicyTest {

  private static final long MS = 1_000_000;

  private final HedgePolicy policy = new HedgePolicy();
  private long now;

  @Test
  void delay_fewAnswers_isNever() {
    for (int i = 0; i < 50; i++) {
      policy.answered(now += MS, 10 * MS, true);
    }
    assertThat(policy.delayNanos(now)).isEqualTo(HedgePolicy.NEVER);
    assertThat(policy.hedge(now, false)).isFalse();
  }

  @Test
  void delay_isWhatNineteenInTwentyKeepWithin() {
    answers(1_000);
    assertThat(policy.delayNanos(now)).isCloseTo(95 * MS, Percentage.withPercentage(13));
  }

  @Test
  void delay_fastModel_isNeverBelowTwoMilliseconds() {
    for (int i = 0; i < 1_000; i++) {
      policy.answered(now += MS, 100_000, true);
    }
    assertThat(policy.delayNanos(now)).isEqualTo(2 * MS);
  }

  @Test
  void hedge_allTheTime_addsATwentieth() {
    answers(1_000);
    int hedges = 0;
    for (int i = 0; i < 10_000; i++) {
      policy.sent(now += MS);
      policy.answered(now, 10 * MS, true);
      hedges += policy.hedge(now, false) ? 1 : 0;
    }
    assertThat(hedges).isBetween(450, 500);
  }

  @Test
  void hedgeAcross_onlyWhenTheOtherIsSoonerAndRarely() {
    answers(1_000);
    for (int i = 0; i < 1_000; i++) {
      policy.sent(now);
    }
    assertThat(policy.hedgeAcross(now, false, 200 * MS, 50 * MS, 60 * MS)).isFalse();
    assertThat(policy.hedgeAcross(now, false, 50 * MS, 500 * MS, 60 * MS)).isFalse();
    int hedges = 0;
    for (int i = 0; i < 100; i++) {
      hedges += policy.hedgeAcross(now, false, 200 * MS, 500 * MS, 60 * MS) ? 1 : 0;
    }
    assertThat(hedges).isEqualTo(10);
  }

  @Test
  void hedge_failuresOrOverload_isOff() {
    answers(1_000);
    policy.sent(now);
    assertThat(policy.hedge(now, true)).isFalse();
    for (int i = 0; i < 100; i++) {
      policy.answered(now, 10 * MS, false);
    }
    assertThat(policy.delayNanos(now)).isEqualTo(HedgePolicy.NEVER);
  }

  /** One in twenty takes ten times as long: hedging halves the tail for a twentieth more work. */
  @Test
  void hedge_bimodalModel_halvesTheTail() {
    SplittableRandom random = new SplittableRandom(9);
    int count = 100_000;
    long[] plain = new long[count];
    long[] hedged = new long[count];
    int extra = 0;
    for (int i = 0; i < count; i++) {
      now += MS;
      policy.sent(now);
      long first = bimodal(random);
      long second = bimodal(random);
      long delay = policy.delayNanos(now);
      boolean hedge = first > delay && policy.hedge(now, false);
      extra += hedge ? 1 : 0;
      plain[i] = first;
      hedged[i] = hedge ? Math.min(first, delay + second) : first;
      policy.answered(now, hedged[i], true);
    }
    assertThat((double) extra / count).isCloseTo(0.05, within(0.003)).isLessThanOrEqualTo(0.05);
    assertThat(p99(hedged)).isLessThan(p99(plain) / 2);
  }

  private static long bimodal(SplittableRandom random) {
    long base = 9 * MS + random.nextLong(2 * MS);
    return random.nextInt(20) == 0 ? 10 * base : base;
  }

  private static long p99(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[(int) (0.99 * sorted.length)];
  }

  private void answers(int count) {
    for (int i = 0; i < count; i++) {
      policy.answered(now += MS, (1 + i % 100) * MS, true);
    }
  }
}
