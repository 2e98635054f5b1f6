package meridian.fleet.routing;

import meridian.fleet.residency.ResidencyClass;

/**
 * What a decision depends on, besides the state of the regions.
 *
 * @param nowNanos not before that of the last decision
 * @param bytes of the request and of the answer expected
 * @param session hash of the session, or of the tenant; {@link #NO_SESSION} for none
 * @param tried regions that are not to be chosen: bit i for the i-th of the topology
 * @param random evenly distributed
 */
public record Query(
    long nowNanos, ResidencyClass data, long bytes, long session, long tried, long random) {

  public static final long NO_SESSION = 0;
}
