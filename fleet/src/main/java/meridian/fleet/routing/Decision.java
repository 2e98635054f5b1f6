package meridian.fleet.routing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import meridian.fleet.topology.Link;
import meridian.fleet.topology.Region;
import meridian.fleet.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Where a request goes, and every number that this came from. To be filled again: what it says
 * holds until the next decision in it.
 */
public final class Decision {

  private static final int NOBODY = -1;

  private final List<Region> regions;
  private final Removal[] removals;
  private final long[] rtt;
  private final long[] transfer;
  private final long[] service;
  private final long[] wait;
  private final long[] penalty;
  private int chosen = NOBODY;
  private Reason reason = Reason.NOWHERE;

  public Decision(Topology topology) {
    this.regions = topology.regions();
    int count = regions.size();
    this.removals = new Removal[count];
    this.rtt = new long[count];
    this.transfer = new long[count];
    this.service = new long[count];
    this.wait = new long[count];
    this.penalty = new long[count];
    Arrays.fill(removals, Removal.NO_MODEL);
  }

  /**
   * One region as it stood, all times in nanoseconds.
   *
   * @param removed {@link Removal#NONE} for a candidate
   */
  public record Candidate(
      Region region,
      Removal removed,
      long rttNanos,
      long transferNanos,
      long waitNanos,
      long serviceNanos,
      long penaltyNanos) {

    /** The lower the better. */
    public long scoreNanos() {
      return rttNanos + transferNanos + waitNanos + serviceNanos + penaltyNanos;
    }
  }

  /** Null where no region may have the request. */
  public @Nullable Region region() {
    return chosen == NOBODY ? null : regions.get(chosen);
  }

  /** Place of the region in the topology; negative where there is none. */
  public int index() {
    return chosen;
  }

  public Reason reason() {
    return reason;
  }

  /** All regions, in the order of the topology. */
  public List<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < regions.size(); i++) {
      candidates.add(
          new Candidate(
              regions.get(i), removals[i], rtt[i], transfer[i], wait[i], service[i], penalty[i]));
    }
    return candidates;
  }

  void weigh(int region, Destination destination, Query query, Removal removal) {
    removals[region] = removal;
    rtt[region] = destination.link().rttNanos();
    transfer[region] = destination.link().transferNanos(query.bytes());
    service[region] = destination.serviceNanos(query.nowNanos());
    wait[region] = destination.waitNanos(query.nowNanos());
    penalty[region] = destination.penaltyNanos(query.nowNanos());
  }

  void choose(int region, Reason why) {
    chosen = region;
    reason = why;
  }

  boolean isCandidate(int region) {
    return removals[region] == Removal.NONE;
  }

  /** Whether the way there is known. */
  boolean isMeasured(int region) {
    return rtt[region] < Link.UNKNOWN_NANOS;
  }

  /** Whether nothing but load keeps requests away from it. */
  boolean isWell(int region) {
    return isCandidate(region) || removals[region] == Removal.FULL;
  }

  /** The regions that may have the request: bit i for the i-th. */
  long permitted() {
    long permitted = 0;
    for (int i = 0; i < removals.length; i++) {
      if (removals[i] != Removal.RESIDENCY) {
        permitted |= 1L << i;
      }
    }
    return permitted;
  }

  /** Has all that were removed for their health be candidates again. */
  boolean forgive() {
    boolean any = false;
    for (int i = 0; i < removals.length; i++) {
      if (removals[i].isForgivable()) {
        removals[i] = Removal.NONE;
        any = true;
      }
    }
    return any;
  }

  /** What requests take while nothing waits. */
  long idleNanos(int region) {
    return rtt[region] + transfer[region] + service[region];
  }

  /** What load adds. */
  long busyNanos(int region) {
    return wait[region] + penalty[region];
  }

  long scoreNanos(int region) {
    return idleNanos(region) + busyNanos(region);
  }

  int size() {
    return removals.length;
  }
}
