package meridian.fleet.failure;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Leaves one model in one region alone while it fails. It opens by what that model does there
 * alone, not by comparison, since there are too few regions to compare: when connections or answers
 * fail one after the other, when half of the recent requests fail, or when they take three times
 * what they did for minutes and more than they may. Then it lets a request through now and then,
 * and closes when those succeed. Not for several threads.
 */
public final class Breaker {

  private static final int CONNECTIONS_RUNNING = 3;
  private static final int ERRORS_RUNNING = 5;
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int FEWEST_RECENT = 20;
  private static final double SLOW = 3;
  private static final double SLOW_QUANTILE = 0.95;
  private static final double FEWEST_SLOW = 50;
  private static final long BASELINE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long MOST_OPEN_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long BETWEEN_TRIALS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int SUCCESSES_TO_CLOSE = 3;

  /** What it does with requests. */
  public enum State {
    CLOSED,
    OPEN,
    /** Lets one through now and then. */
    TRIAL
  }

  private final long budgetNanos;
  private final RandomGenerator random;
  private final RecentCount recent = new RecentCount(RECENT_NANOS);
  private final LatencyHistogram baseline = new LatencyHistogram(BASELINE_NANOS);
  private final LatencyHistogram lately = new LatencyHistogram(LATELY_NANOS);
  private boolean closed = true;
  private int connectionsFailed;
  private int errors;
  private int opened;
  private int successes;
  private long openUntilNanos;
  private long triedNanos;

  /**
   * @param budgetNanos what requests may take, however long they always took
   * @param random spreads over time when many gateways try again
   */
  public Breaker(long budgetNanos, RandomGenerator random) {
    this.budgetNanos = budgetNanos;
    this.random = random;
  }

  public State state(long nowNanos) {
    if (closed) {
      return State.CLOSED;
    }
    return nowNanos - openUntilNanos < 0 ? State.OPEN : State.TRIAL;
  }

  /** Whether a request may go there now. */
  public boolean allows(long nowNanos) {
    return switch (state(nowNanos)) {
      case CLOSED -> true;
      case OPEN -> false;
      case TRIAL -> nowNanos - triedNanos >= BETWEEN_TRIALS_NANOS;
    };
  }

  /** A request goes there. */
  public void sent(long nowNanos) {
    triedNanos = nowNanos;
  }

  public void succeeded(long nowNanos, long latencyNanos) {
    connectionsFailed = 0;
    errors = 0;
    if (closed) {
      recent.add(nowNanos, false);
      baseline.record(nowNanos, latencyNanos);
      lately.record(nowNanos, latencyNanos);
      if (isSlow(nowNanos)) {
        open(nowNanos);
      }
    } else if (state(nowNanos) == State.TRIAL && ++successes >= SUCCESSES_TO_CLOSE) {
      closed = true;
      opened = 0;
    }
  }

  public void failed(long nowNanos, Failure failure) {
    if (!closed) {
      if (state(nowNanos) == State.TRIAL) {
        open(nowNanos);
      }
      return;
    }
    recent.add(nowNanos, true);
    connectionsFailed = failure == Failure.CONNECTION ? connectionsFailed + 1 : 0;
    errors++;
    if (connectionsFailed >= CONNECTIONS_RUNNING
        || errors >= ERRORS_RUNNING
        || isHalfFailing(nowNanos)) {
      open(nowNanos);
    }
  }

  private boolean isHalfFailing(long nowNanos) {
    int all = recent.all(nowNanos);
    return all >= FEWEST_RECENT && 2 * recent.some(nowNanos) >= all;
  }

  private boolean isSlow(long nowNanos) {
    if (lately.count(nowNanos) < FEWEST_SLOW) {
      return false;
    }
    long nanos = lately.quantile(SLOW_QUANTILE);
    return nanos > budgetNanos && nanos > SLOW * baseline.quantile(SLOW_QUANTILE);
  }

  private void open(long nowNanos) {
    long most = Math.min(MOST_OPEN_NANOS, OPEN_NANOS << Math.min(opened, Byte.SIZE));
    openUntilNanos = nowNanos + random.nextLong(most) + 1;
    triedNanos = openUntilNanos - BETWEEN_TRIALS_NANOS;
    opened++;
    closed = false;
    successes = 0;
    connectionsFailed = 0;
    errors = 0;
    recent.clear();
    lately.clear();
  }
}
