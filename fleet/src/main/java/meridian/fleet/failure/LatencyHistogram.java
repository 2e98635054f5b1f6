package meridian.fleet.failure;

import java.util.Arrays;

/**
 * How long requests took lately: a histogram whose counts halve over time, by forward decay
 * (Cormode et al., 2009). Values are told to an eighth of their power of two. Not for several
 * threads.
 */
final class LatencyHistogram {

  /** 2^6 ns, the shortest that is told from others. */
  private static final int FIRST_POWER = 6;

  /** Up to 2^40 ns, 18 minutes. */
  private static final int POWERS = 34;

  private static final int STEPS = 8;
  private static final int STEP_BITS = 3;

  /** Half lives after which counts are scaled down, long before they overflow. */
  private static final double REBASE = 100;

  private final double[] counts = new double[POWERS * STEPS];
  private final double halfLifeNanos;
  private long sinceNanos;
  private double total;

  LatencyHistogram(long halfLifeNanos) {
    this.halfLifeNanos = halfLifeNanos;
  }

  void record(long nowNanos, long nanos) {
    double age = (nowNanos - sinceNanos) / halfLifeNanos;
    if (total == 0) {
      sinceNanos = nowNanos;
      age = 0;
    } else if (age > REBASE) {
      scale(Math.pow(2, -age));
      sinceNanos = nowNanos;
      age = 0;
    }
    double weight = Math.pow(2, age);
    counts[index(nanos)] += weight;
    total += weight;
  }

  /** Requests, each counted the less the longer it is ago. */
  double count(long nowNanos) {
    return total * Math.pow(2, -(nowNanos - sinceNanos) / halfLifeNanos);
  }

  /**
   * @return nanoseconds that a share of all keeps within; 0 where there are none
   */
  long quantile(double share) {
    double left = share * total;
    if (left == 0) {
      return 0;
    }
    int i = 0;
    while (i < counts.length - 1 && left > counts[i]) {
      left -= counts[i++];
    }
    return upper(i);
  }

  void clear() {
    Arrays.fill(counts, 0);
    total = 0;
  }

  private void scale(double factor) {
    total = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] *= factor;
      total += counts[i];
    }
  }

  private static int index(long nanos) {
    long clamped = Math.max(nanos, 1L << FIRST_POWER);
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(clamped);
    if (power >= FIRST_POWER + POWERS) {
      return POWERS * STEPS - 1;
    }
    int step = (int) (clamped >>> (power - STEP_BITS)) & (STEPS - 1);
    return (power - FIRST_POWER) * STEPS + step;
  }

  private static long upper(int index) {
    int power = FIRST_POWER + index / STEPS;
    return (1L << power) + (long) (index % STEPS + 1) * (1L << (power - STEP_BITS)) - 1;
  }
}
