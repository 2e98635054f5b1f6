package meridian.benchmarks.routing;

import java.util.Arrays;

/** What became of the requests. */
final class Tally {

  private long[] latencies = new long[1024];
  private int count;
  private long away;
  private long awayFromIdle;

  /**
   * @param farther answered by a region that is not the nearest
   * @param idle though the nearest had a free lane for it
   */
  void answered(long nanos, boolean farther, boolean idle) {
    if (count == latencies.length) {
      latencies = Arrays.copyOf(latencies, 2 * count);
    }
    latencies[count++] = nanos;
    away += farther ? 1 : 0;
    awayFromIdle += farther && idle ? 1 : 0;
  }

  int count() {
    return count;
  }

  double millis(double quantile) {
    long[] sorted = Arrays.copyOf(latencies, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (quantile * count))] / 1e6;
  }

  double awayShare() {
    return (double) away / count;
  }

  double awayFromIdleShare() {
    return (double) awayFromIdle / count;
  }
}
