package meridian.benchmarks.routing;

import java.util.concurrent.TimeUnit;
import meridian.fleet.routing.LoadReport;

/**
 * Finagle's and Linkerd's rule: the least of latency × (requests under way + 1), where latency
 * jumps to a peak and decays from it.
 */
final class PeakEwma implements Rule {

  private static final double DECAY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final double[] latency;
  private final long[] stamps;
  private final int[] pending;

  PeakEwma(long[] rttNanos) {
    this.latency = new double[rttNanos.length];
    this.stamps = new long[rttNanos.length];
    this.pending = new int[rttNanos.length];
    for (int i = 0; i < rttNanos.length; i++) {
      latency[i] = rttNanos[i];
    }
  }

  @Override
  public int choose(long nowNanos) {
    int best = 0;
    for (int i = 1; i < latency.length; i++) {
      if (cost(i, nowNanos) < cost(best, nowNanos)) {
        best = i;
      }
    }
    return best;
  }

  private double cost(int site, long nowNanos) {
    double kept = Math.exp(-(nowNanos - stamps[site]) / DECAY_NANOS);
    return latency[site] * kept * (pending[site] + 1);
  }

  @Override
  public void sent(int site, long nowNanos) {
    pending[site]++;
  }

  @Override
  public void answered(
      int site, long nowNanos, long latencyNanos, long rttNanos, LoadReport report) {
    pending[site]--;
    double kept = Math.exp(-(nowNanos - stamps[site]) / DECAY_NANOS);
    latency[site] =
        latencyNanos > latency[site]
            ? latencyNanos
            : latency[site] * kept + latencyNanos * (1 - kept);
    stamps[site] = nowNanos;
  }

  @Override
  public void probed(int site, long nowNanos, long rttNanos, LoadReport report) {
    // Knows only what requests took.
  }
}
