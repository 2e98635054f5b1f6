package meridian.fleet.topology;

import java.util.concurrent.TimeUnit;

/** The way from here to a region and back. Not for several threads. */
public final class Link {

  /** Of a link that nothing was measured of: far, so that known ones come first. */
  public static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RttEstimate rtt = new RttEstimate();
  private long bytesPerSecond;

  public RttEstimate rtt() {
    return rtt;
  }

  /** How long the way there and back takes. */
  public long rttNanos() {
    long nanos = rtt.nanos();
    return nanos == RttEstimate.UNKNOWN ? UNKNOWN_NANOS : nanos;
  }

  /**
   * @param perSecond bytes; 0 where transfers need not be counted
   */
  public void bandwidth(long perSecond) {
    if (perSecond < 0) {
      throw new IllegalArgumentException("bandwidth: " + perSecond + " (expected: 0 or more)");
    }
    bytesPerSecond = perSecond;
  }

  /** How long so many bytes take beyond the round trip. */
  public long transferNanos(long bytes) {
    return bytesPerSecond == 0 ? 0 : (long) (bytes * 1e9 / bytesPerSecond);
  }
}
