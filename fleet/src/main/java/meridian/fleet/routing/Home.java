package meridian.fleet.routing;

import java.util.concurrent.TimeUnit;

/**
 * The region that requests go to while it is not busy. Another takes its place only when it stays
 * better for a while, so that noise in what is measured moves nobody.
 */
final class Home {

  private static final int NONE = -1;

  private static final long LEAVE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final double LEAVE_SHARE = 0.1;
  private static final int VOTES = 3;
  private static final long BETWEEN_VOTES_NANOS = TimeUnit.MILLISECONDS.toNanos(333);

  private int region = NONE;
  private int challenger = NONE;
  private int votes;
  private long votedNanos;

  /**
   * @param nearest of those that are wholly there
   */
  int among(long nowNanos, int nearest, Decision decision) {
    if (region == NONE
        || nearest == region
        || !decision.isWell(region)
        || !decision.isMeasured(region)) {
      settle(nearest);
    } else if (!isWorthLeaving(decision.idleNanos(nearest), decision.idleNanos(region))) {
      votes = 0;
    } else if (votes == 0 || challenger != nearest) {
      vote(nowNanos, nearest, 1);
    } else if (nowNanos - votedNanos >= BETWEEN_VOTES_NANOS) {
      vote(nowNanos, nearest, votes + 1);
    }
    return region;
  }

  private static boolean isWorthLeaving(long nearestNanos, long homeNanos) {
    long gain = homeNanos - nearestNanos;
    return gain > Math.min(LEAVE_NANOS, (long) (LEAVE_SHARE * homeNanos));
  }

  private void vote(long nowNanos, int nearest, int count) {
    challenger = nearest;
    votes = count;
    votedNanos = nowNanos;
    if (votes == VOTES) {
      settle(nearest);
    }
  }

  private void settle(int nearest) {
    region = nearest;
    votes = 0;
  }
}
