package meridian.fleet.failure;

import static org.assertj.core.api.Assertions.assertThat;

import meridian.fleet.failure.RetryPolicy.Attempt;
import meridian.fleet.failure.RetryPolicy.Verdict;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

  private static final long MS = 1_000_000;
  private static final Attempt FIRST = new Attempt(0, false, 100 * MS, 50 * MS);

  private final RetryPolicy policy = new RetryPolicy();

  @Test
  void ask_firstFailureWithTimeLeft_isRetried() {
    policy.sent(0);
    assertThat(policy.ask(0, FIRST)).isEqualTo(Verdict.RETRY);
  }

  @Test
  void ask_whatCannotHelp_isRefusedWithTheReason() {
    assertThat(policy.ask(0, new Attempt(2, false, 100 * MS, 50 * MS))).isEqualTo(Verdict.ATTEMPTS);
    assertThat(policy.ask(0, new Attempt(0, true, 100 * MS, 50 * MS))).isEqualTo(Verdict.BOUND);
    assertThat(policy.ask(0, new Attempt(0, false, 49 * MS, 50 * MS))).isEqualTo(Verdict.DEADLINE);
  }

  @Test
  void ask_everyRequestFails_addsATenth() {
    long now = 0;
    int retries = 0;
    for (int i = 0; i < 10_000; i++) {
      policy.sent(now += MS);
      retries += policy.ask(now, FIRST) == Verdict.RETRY ? 1 : 0;
    }
    assertThat(retries).isBetween(950, 1_020);
    assertThat(policy.ask(now, FIRST)).isEqualTo(Verdict.BUDGET);
  }

  @Test
  void ask_afterTheWindow_hasABudgetAgain() {
    for (int i = 0; i < 10; i++) {
      assertThat(policy.ask(0, FIRST)).isEqualTo(Verdict.RETRY);
    }
    assertThat(policy.ask(0, FIRST)).isEqualTo(Verdict.BUDGET);
    assertThat(policy.ask(11_000 * MS, FIRST)).isEqualTo(Verdict.RETRY);
  }
}
