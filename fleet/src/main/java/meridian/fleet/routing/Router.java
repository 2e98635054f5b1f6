package meridian.fleet.routing;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import meridian.fleet.failure.Breaker;
import meridian.fleet.failure.Failure;
import meridian.fleet.residency.ResidencyPolicy;
import meridian.fleet.topology.Link;
import meridian.fleet.topology.Region;
import meridian.fleet.topology.Topology;

/**
 * Sends the requests of one model where they are answered first, among the regions that may have
 * them. The score of a region is the time until the answer:
 *
 * <pre>round trip + bytes / bandwidth + wait + service + penalty</pre>
 *
 * <p>Requests go to the home region, or with a session to its region among those as good, and leave
 * it one by one when load makes another answer sooner: as many as are too many. Regions are
 * numbered as in the topology. Decisions allocate nothing. Not for several threads.
 */
public final class Router {

  private static final int NOBODY = -1;
  private static final long TIE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final double TIE_SHARE = 0.05;

  private final List<Region> regions;
  private final ResidencyPolicy residency;
  private final Destination[] destinations;
  private final Homes homes = new Homes();

  /**
   * @param links one for each region, shared by the routers of all models
   * @param breakers one for each region, of this model
   */
  public Router(
      Topology topology, List<Link> links, List<Breaker> breakers, ResidencyPolicy residency) {
    this.regions = topology.regions();
    this.residency = residency;
    requireOneEach("links", links);
    requireOneEach("breakers", breakers);
    this.destinations =
        IntStream.range(0, regions.size())
            .mapToObj(i -> new Destination(regions.get(i), links.get(i), breakers.get(i)))
            .toArray(Destination[]::new);
  }

  private void requireOneEach(String field, List<?> values) {
    if (values.size() != regions.size()) {
      throw new IllegalArgumentException(
          "%s: %d (expected: %d, one for each region)"
              .formatted(field, values.size(), regions.size()));
    }
  }

  /** Decides, and writes down why. */
  public void decide(Query query, Decision into) {
    for (int i = 0; i < destinations.length; i++) {
      into.weigh(i, destinations[i], query, removal(i, query));
    }
    int best = best(into);
    if (best != NOBODY) {
      among(query, best, into);
    } else if (into.forgive()) {
      into.choose(best(into), Reason.PANIC);
    } else {
      into.choose(NOBODY, Reason.NOWHERE);
    }
  }

  /** A request has been sent to a region. */
  public void sent(int region, long nowNanos) {
    destinations[region].sent(nowNanos);
  }

  /** A request that was sent has its answer. */
  public void answered(int region, long nowNanos, long latencyNanos) {
    destinations[region].answered(nowNanos, latencyNanos);
  }

  /** A request that was sent failed. */
  public void failed(int region, long nowNanos, Failure failure) {
    destinations[region].failed(nowNanos, failure);
  }

  /** A request that was sent is cancelled: nobody waits for it any more. */
  public void abandoned(int region) {
    destinations[region].abandoned();
  }

  /** A region tells how it stands. */
  public void reported(int region, long nowNanos, LoadReport report) {
    destinations[region].reported(nowNanos, report);
  }

  /** The answer to a request that was sent: too much to do, come back later. */
  public void pushedBack(int region, long nowNanos, long retryAfterNanos) {
    destinations[region].pushedBack(nowNanos, retryAfterNanos);
  }

  /**
   * Whether a region takes requests of the model.
   *
   * @param removal why it does not; {@link Removal#NONE} where it does
   * @param share of the requests that are its own, below 1 for one that came back lately
   */
  public void set(int region, Removal removal, double share) {
    destinations[region].set(removal, share);
  }

  private Removal removal(int region, Query query) {
    if (!residency.allows(query.data(), regions.get(region).name())) {
      return Removal.RESIDENCY;
    }
    if ((query.tried() >>> region & 1) != 0) {
      return Removal.TRIED;
    }
    return destinations[region].removal(query.nowNanos(), query.random());
  }

  private void among(Query query, int best, Decision into) {
    int own = own(query, into);
    int back = nearestBack(own, query, into);
    int aim = back == NOBODY ? own : back;
    if (!into.isCandidate(aim) || isTooBusy(aim, best, into)) {
      into.choose(best, Reason.SPILL);
    } else if (aim == back) {
      into.choose(aim, Reason.RETURN);
    } else {
      into.choose(aim, query.session() == Query.NO_SESSION ? Reason.HOME : Reason.SESSION);
    }
  }

  /** Where the request would go if no region were busy; nobody when none is wholly there. */
  private int own(Query query, Decision into) {
    int nearest = NOBODY;
    for (int i = 0; i < destinations.length; i++) {
      if (isWhole(i, query, into) && isNearer(i, nearest, into)) {
        nearest = i;
      }
    }
    if (nearest == NOBODY || query.tried() != 0) {
      return nearest;
    }
    return query.session() == Query.NO_SESSION
        ? homes.of(into.permitted()).among(query.nowNanos(), nearest, into)
        : ofSession(query, nearest, into);
  }

  /** The nearest of those that came back lately, if it is clearly nearer. */
  private int nearestBack(int own, Query query, Decision into) {
    int nearest = NOBODY;
    for (int i = 0; i < destinations.length; i++) {
      if (into.isCandidate(i) && !isWhole(i, query, into) && isNearer(i, nearest, into)) {
        nearest = i;
      }
    }
    boolean clearly =
        nearest != NOBODY
            && (own == NOBODY
                || into.idleNanos(nearest) + tie(into.idleNanos(nearest)) < into.idleNanos(own));
    return clearly ? nearest : NOBODY;
  }

  private boolean isWhole(int region, Query query, Decision into) {
    return into.isWell(region) && destinations[region].isWhole(query.nowNanos());
  }

  private static boolean isNearer(int region, int than, Decision into) {
    return than == NOBODY || into.idleNanos(region) < into.idleNanos(than);
  }

  private int ofSession(Query query, int nearest, Decision into) {
    long session = query.session();
    long most = into.idleNanos(nearest) + tie(into.idleNanos(nearest));
    int chosen = nearest;
    for (int i = 0; i < destinations.length; i++) {
      if (isWhole(i, query, into)
          && into.idleNanos(i) <= most
          && Long.compareUnsigned(weight(session, i), weight(session, chosen)) > 0) {
        chosen = i;
      }
    }
    return chosen;
  }

  private long weight(long session, int region) {
    return Rendezvous.weight(session, destinations[region].hash());
  }

  /** Whether load alone makes another answer clearly sooner. */
  private static boolean isTooBusy(int own, int best, Decision into) {
    long more = into.busyNanos(own) - into.busyNanos(best);
    long farther = Math.max(0, into.idleNanos(best) - into.idleNanos(own));
    return more > farther + tie(into.scoreNanos(best));
  }

  private static int best(Decision into) {
    int best = NOBODY;
    for (int i = 0; i < into.size(); i++) {
      if (into.isCandidate(i) && (best == NOBODY || into.scoreNanos(i) < into.scoreNanos(best))) {
        best = i;
      }
    }
    return best;
  }

  private static long tie(long nanos) {
    return Math.max(TIE_NANOS, (long) (TIE_SHARE * nanos));
  }
}
