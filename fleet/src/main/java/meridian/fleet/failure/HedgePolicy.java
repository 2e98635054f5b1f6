package meridian.fleet.failure;

import java.util.concurrent.TimeUnit;

/**
 * Whether a request that takes long is sent a second time before the first has answered, inside its
 * region or to another (Dean and Barroso, The Tail at Scale, 2013). Of one model. Not for several
 * threads.
 */
public final class HedgePolicy {

  private static final long LEAST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final double DELAY_QUANTILE = 0.95;
  private static final double ACROSS_QUANTILE = 0.99;
  private static final double SHARE = 0.05;
  private static final double ACROSS_SHARE = 0.01;
  private static final double LEAST_SUCCESS = 0.95;
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** A quantile of fewer says nothing. */
  private static final double FEWEST = 100;

  /** For ever. */
  public static final long NEVER = Long.MAX_VALUE;

  private final LatencyHistogram latencies = new LatencyHistogram(WINDOW_NANOS);
  private final RecentCount hedged = new RecentCount(WINDOW_NANOS);
  private final RecentCount across = new RecentCount(WINDOW_NANOS);
  private final RecentCount failed = new RecentCount(WINDOW_NANOS);

  /** A request is sent for the first time. */
  public void sent(long nowNanos) {
    hedged.add(nowNanos, false);
    across.add(nowNanos, false);
  }

  /** The first of the two, or the only one, has its answer. */
  public void answered(long nowNanos, long latencyNanos, boolean success) {
    failed.add(nowNanos, !success);
    if (success) {
      latencies.record(nowNanos, latencyNanos);
    }
  }

  /** How long to wait for the first answer; {@link #NEVER} while hedging is off. */
  public long delayNanos(long nowNanos) {
    return isOff(nowNanos)
        ? NEVER
        : Math.max(LEAST_DELAY_NANOS, latencies.quantile(DELAY_QUANTILE));
  }

  /**
   * Whether to send it again inside its region; taken from the budget.
   *
   * @param overloaded whether the region has more to do than it can
   */
  public boolean hedge(long nowNanos, boolean overloaded) {
    if (overloaded || isOff(nowNanos) || isSpent(hedged, SHARE, nowNanos)) {
      return false;
    }
    hedged.add(nowNanos, true);
    return true;
  }

  /**
   * Whether to send it to another region; taken from both budgets.
   *
   * @param elapsedNanos since it was sent
   * @param restNanos what its region is expected to need still
   * @param otherNanos what the other would need
   */
  public boolean hedgeAcross(
      long nowNanos, boolean overloaded, long elapsedNanos, long restNanos, long otherNanos) {
    if (otherNanos >= restNanos
        || elapsedNanos < latencies.quantile(ACROSS_QUANTILE)
        || isSpent(across, ACROSS_SHARE, nowNanos)
        || !hedge(nowNanos, overloaded)) {
      return false;
    }
    across.add(nowNanos, true);
    return true;
  }

  private boolean isOff(long nowNanos) {
    int answers = failed.all(nowNanos);
    return latencies.count(nowNanos) < FEWEST
        || failed.some(nowNanos) > (1 - LEAST_SUCCESS) * answers;
  }

  private static boolean isSpent(RecentCount sent, double share, long nowNanos) {
    int extra = sent.some(nowNanos);
    int requests = sent.all(nowNanos) - extra;
    return extra + 1 > share * requests;
  }
}
