package meridian.benchmarks.routing;

import meridian.fleet.routing.LoadReport;

/** How one gateway chooses among the sites. */
interface Rule {

  int choose(long nowNanos);

  void sent(int site, long nowNanos);

  /**
   * @param latencyNanos from sending to the answer
   * @param rttNanos what of it was the way
   * @param report that came with the answer
   */
  void answered(int site, long nowNanos, long latencyNanos, long rttNanos, LoadReport report);

  /** As an answer, of a request that nobody made. */
  void probed(int site, long nowNanos, long rttNanos, LoadReport report);
}
