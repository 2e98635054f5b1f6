package meridian.fleet.failure;

/**
 * How many requests may be under way to one model in one region. The limit follows the gradient
 * between how long requests took for long and how long they take now, the way there left out, since
 * distance is no load (after Netflix's gradient limit). Not for several threads.
 */
public final class ConcurrencyLimit {

  private static final double TOLERANCE = 1.5;
  private static final double SMOOTHING = 0.2;
  private static final double LEAST = 20;
  private static final double MOST = 200;

  /** Of the long average, in answers. */
  private static final double LONG = 600;

  private double limit = LEAST;
  private double longNanos;

  /**
   * @param latencyNanos of one request without the round trip
   * @param inFlight requests under way while it was
   */
  public void answered(long latencyNanos, int inFlight) {
    double nanos = Math.max(1, latencyNanos);
    longNanos = longNanos == 0 ? nanos : longNanos + (nanos - longNanos) / LONG;
    if (nanos < longNanos / 2) {
      longNanos *= 0.95;
    }
    if (inFlight < limit / 2) {
      return;
    }
    double gradient = Math.clamp(TOLERANCE * longNanos / nanos, 0.5, 1);
    double room = gradient == 1 ? Math.sqrt(limit) : 0;
    double wanted = limit * gradient + room;
    limit = Math.clamp(limit + SMOOTHING * (wanted - limit), LEAST, MOST);
  }

  public int limit() {
    return (int) limit;
  }
}
