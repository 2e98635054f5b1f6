package meridian.fleet.topology;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The round-trip time of one link. What queues add is no distance: so the least of each window
 * counts, smoothed over windows. Without measurements the estimate stays as it is. Not for several
 * threads.
 */
public final class RttEstimate {

  /** No time yet. */
  public static final long UNKNOWN = 0;

  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Of the smoothing, in windows: a time constant of 10 s. */
  private static final double WEIGHT = 1 - Math.exp(-1);

  private static final int RECENT = 64;
  private static final double UPPER = 0.95;

  private final long[] recent = new long[RECENT];
  private int count;
  private long windowStartNanos;
  private long windowLeast = Long.MAX_VALUE;
  private double smoothed;
  private long upper;

  /**
   * @param nowNanos not before that of the last call
   * @param rttNanos measured, above 0
   */
  public void record(long nowNanos, long rttNanos) {
    if (rttNanos <= 0) {
      throw new IllegalArgumentException("rttNanos: " + rttNanos + " (expected: 1 or more)");
    }
    if (count == 0) {
      windowStartNanos = nowNanos;
    } else if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
      closeWindow(nowNanos);
    }
    windowLeast = Math.min(windowLeast, rttNanos);
    recent[count++ % RECENT] = rttNanos;
    upper = upper();
  }

  /** Nanoseconds; {@link #UNKNOWN} before the first measurement. */
  public long nanos() {
    if (count == 0) {
      return UNKNOWN;
    }
    return smoothed == 0 ? windowLeast : Math.min(Math.round(smoothed), windowLeast);
  }

  /** What 95 % of the last {@value #RECENT} measurements kept below, in nanoseconds. */
  public long upperNanos() {
    return upper;
  }

  private void closeWindow(long nowNanos) {
    smoothed = smoothed == 0 ? windowLeast : smoothed + WEIGHT * (windowLeast - smoothed);
    windowLeast = Long.MAX_VALUE;
    windowStartNanos = nowNanos;
  }

  private long upper() {
    int filled = Math.min(count, RECENT);
    long[] sorted = Arrays.copyOf(recent, filled);
    Arrays.sort(sorted);
    return sorted[Math.min(filled - 1, (int) (UPPER * filled))];
  }
}
