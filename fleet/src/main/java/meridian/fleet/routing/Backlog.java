package meridian.fleet.routing;

/**
 * How many requests a region will have when one arrives that is sent now. A report tells how many
 * it had half a round trip ago; since then those came that were under way, and some were answered.
 * So what is sent is remembered for a while, a report is carried forward with it to the present, as
 * water through a vessel, and from then on every request counts as it is sent.
 *
 * <p>All times are those of sending: what was sent a round trip before a report came in is in it,
 * what was sent later is not. Not for several threads.
 */
final class Backlog {

  private static final long SLOT_NANOS = 1_000_000;

  /** Together longer than any way around the world. */
  private static final int SLOTS = 512;

  private final int[] sent = new int[SLOTS];
  private long slot;
  private double requests;
  private double perNano;
  private long nowNanos;

  /**
   * @param nanos not before that of the last call
   */
  void send(long nanos) {
    advance(nanos);
    sent[index(slot)]++;
    requests++;
  }

  /**
   * @param nanos when the report came in
   * @param rttNanos how long that and the way there take
   */
  void correct(long nanos, long rttNanos, LoadReport report) {
    advance(nanos);
    perNano = report.perSecond() / 1e9;
    requests = report.inFlight();
    long fromNanos = nanos - Math.min(rttNanos, (SLOTS - 1) * SLOT_NANOS);
    for (long past = Math.floorDiv(fromNanos, SLOT_NANOS); past <= slot; past++) {
      long begin = Math.max(fromNanos, past * SLOT_NANOS);
      long end = (past + 1) * SLOT_NANOS;
      double later = (double) (end - begin) / SLOT_NANOS;
      requests = drained(Math.min(end, nanos) - begin) + later * sent[index(past)];
    }
  }

  double requests(long nanos) {
    return drained(nanos - nowNanos);
  }

  private void advance(long nanos) {
    requests = requests(nanos);
    nowNanos = nanos;
    long last = Math.floorDiv(nanos, SLOT_NANOS);
    for (long empty = Math.max(slot + 1, last - SLOTS + 1); empty <= last; empty++) {
      sent[index(empty)] = 0;
    }
    slot = last;
  }

  private double drained(long nanos) {
    return Math.max(0, requests - perNano * nanos);
  }

  private static int index(long slot) {
    return (int) Math.floorMod(slot, (long) SLOTS);
  }
}
