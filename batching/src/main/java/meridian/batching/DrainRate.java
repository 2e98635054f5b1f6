package meridian.batching;

import java.time.Duration;

/**
 * How fast a queue empties: a decayed mean of the time per row between two takes, counted only
 * while more was waiting, so that idle time does not look like slowness.
 */
final class DrainRate {

  private static final double WEIGHT = 0.2;
  private static final Duration UNKNOWN = Duration.ofSeconds(1);
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private double nanosPerRow;
  private long lastTakeNanos;
  private boolean backlogged;

  void taken(int rows, boolean moreWaiting, long nowNanos) {
    if (backlogged) {
      double sample = (double) (nowNanos - lastTakeNanos) / rows;
      nanosPerRow = nanosPerRow == 0 ? sample : nanosPerRow + WEIGHT * (sample - nanosPerRow);
    }
    lastTakeNanos = nowNanos;
    backlogged = moreWaiting;
  }

  /** When {@code rows} that wait now will probably have left. */
  Duration timeFor(long rows) {
    if (nanosPerRow == 0) {
      return UNKNOWN;
    }
    double nanos = Math.min(rows * nanosPerRow, (double) LONGEST.toNanos());
    return Duration.ofNanos(Math.max((long) nanos, SHORTEST.toNanos()));
  }
}
