package meridian.fleet.failure;

import java.util.concurrent.TimeUnit;

/**
 * Whether a request that failed is sent again, to another region: seldom enough that retries never
 * become the load that they flee from. Not for several threads.
 */
public final class RetryPolicy {

  private static final int MOST_RETRIES = 2;
  private static final double SHARE = 0.1;

  /** So that a server with few requests may retry at all. */
  private static final int ALWAYS = 10;

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final RecentCount sent = new RecentCount(WINDOW_NANOS);

  /** Why a request is not sent again. */
  public enum Verdict {
    RETRY,
    /** It was sent often enough. */
    ATTEMPTS,
    /** Its state is where it was sent, or a part of the answer has gone out. */
    BOUND,
    /** No region could answer in what is left of the deadline. */
    DEADLINE,
    /** Too many others were sent again lately. */
    BUDGET
  }

  /**
   * @param retries of this request so far
   * @param bound whether it has a state in its region, or the first byte of its answer is out
   * @param leftNanos until the deadline
   * @param neededNanos by the next region: its round trip at P95 and its service at the median
   */
  public record Attempt(int retries, boolean bound, long leftNanos, long neededNanos) {}

  /** A request is sent for the first time. */
  public void sent(long nowNanos) {
    sent.add(nowNanos, false);
  }

  /** What to do; a retry is taken from the budget. */
  public Verdict ask(long nowNanos, Attempt attempt) {
    if (attempt.bound) {
      return Verdict.BOUND;
    }
    if (attempt.retries >= MOST_RETRIES) {
      return Verdict.ATTEMPTS;
    }
    if (attempt.leftNanos < attempt.neededNanos) {
      return Verdict.DEADLINE;
    }
    int retries = sent.some(nowNanos);
    int requests = sent.all(nowNanos) - retries;
    if (retries >= Math.max(ALWAYS, (int) (SHARE * requests))) {
      return Verdict.BUDGET;
    }
    sent.add(nowNanos, true);
    return Verdict.RETRY;
  }
}
