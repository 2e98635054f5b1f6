package meridian.fleet.failure;

import java.util.concurrent.TimeUnit;

/**
 * Whether a region is there, as probes from here find it. It goes after some misses, or at once
 * when requests say so; it comes back after some answers, to a share of its requests that grows,
 * since whatever comes back is cold. Not for several threads.
 */
public final class RegionHealth {

  private static final int MISSES = 3;
  private static final int ANSWERS = 2;
  private static final double LEAST_SHARE = 0.05;
  private static final double STEEPNESS = 1 / 1.5;

  /** How long a region with processors alone takes to get its share back. */
  public static final long RAMP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final long rampNanos;
  private boolean up;
  private boolean known;
  private boolean ramping;
  private long upNanos;
  private int misses;
  private int answers;

  /**
   * @param rampNanos from its return until all its requests are its own again
   */
  public RegionHealth(long rampNanos) {
    this.rampNanos = rampNanos;
  }

  public void answered(long nowNanos) {
    misses = 0;
    answers++;
    if (!known) {
      known = true;
      up = true;
    } else if (!up && answers >= ANSWERS) {
      up = true;
      ramping = true;
      upNanos = nowNanos;
    }
  }

  public void missed() {
    answers = 0;
    misses++;
    if (misses >= MISSES) {
      trip();
    }
  }

  /** Requests have found it gone: no use to wait for probes. */
  public void trip() {
    known = true;
    up = false;
    answers = 0;
  }

  public boolean isUp() {
    return up;
  }

  /** Of the requests that are its own: 0 while it is down, 1 once it is wholly back. */
  public double share(long nowNanos) {
    if (!up) {
      return 0;
    }
    double back = (double) (nowNanos - upNanos) / rampNanos;
    if (!ramping || back >= 1) {
      ramping = false;
      return 1;
    }
    return Math.max(LEAST_SHARE, Math.pow(Math.max(0, back), STEEPNESS));
  }
}
