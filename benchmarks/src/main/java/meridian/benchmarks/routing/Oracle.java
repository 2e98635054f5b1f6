package meridian.benchmarks.routing;

import java.util.List;
import meridian.fleet.routing.LoadReport;

/** Knows every queue, every request on its way, and how long each will take. */
final class Oracle implements Rule {

  private final List<Site> sites;
  private final long[] rttNanos;

  Oracle(List<Site> sites, long[] rttNanos) {
    this.sites = sites;
    this.rttNanos = rttNanos;
  }

  @Override
  public int choose(long nowNanos) {
    int best = 0;
    for (int i = 1; i < rttNanos.length; i++) {
      if (waysAndWait(i, nowNanos) < waysAndWait(best, nowNanos)) {
        best = i;
      }
    }
    return best;
  }

  private long waysAndWait(int site, long nowNanos) {
    return rttNanos[site] + sites.get(site).waitNanos(nowNanos + rttNanos[site] / 2);
  }

  @Override
  public void sent(int site, long nowNanos) {
    // It sees the site itself.
  }

  @Override
  public void answered(
      int site, long nowNanos, long latencyNanos, long rttNanos, LoadReport report) {
    // As above.
  }

  @Override
  public void probed(int site, long nowNanos, long rttNanos, LoadReport report) {
    // As above.
  }
}
