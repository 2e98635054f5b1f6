package meridian.fleet.routing;

import java.util.concurrent.TimeUnit;
import meridian.fleet.failure.Breaker;
import meridian.fleet.failure.ConcurrencyLimit;
import meridian.fleet.failure.Failure;
import meridian.fleet.topology.Link;
import meridian.fleet.topology.Region;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one model in one region: what it reports itself, and where it does not, what its
 * answers look like from here. Not for several threads.
 */
final class Destination {

  /** How long a report is believed. */
  private static final long STALE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Of an answer in the average of what they take. */
  private static final double WEIGHT = 0.05;

  private final Link link;
  private final Breaker breaker;
  private final ConcurrencyLimit limit = new ConcurrencyLimit();
  private final Backlog backlog = new Backlog();
  private final long hash;
  private @Nullable LoadReport report;
  private long reportedNanos;
  private double observedNanos;
  private long busyUntilNanos;
  private boolean pushedBack;
  private int underWay;
  private Removal state = Removal.NO_MODEL;
  private double share = 1;

  Destination(Region region, Link link, Breaker breaker) {
    this.link = link;
    this.breaker = breaker;
    this.hash = Rendezvous.hash(region.name());
  }

  Link link() {
    return link;
  }

  long hash() {
    return hash;
  }

  void set(Removal removal, double newShare) {
    state = removal;
    share = newShare;
  }

  void sent(long nowNanos) {
    backlog.send(nowNanos);
    breaker.sent(nowNanos);
    underWay++;
  }

  void answered(long nowNanos, long latencyNanos) {
    long nanos = Math.max(0, latencyNanos - link.rttNanos());
    observedNanos = observedNanos == 0 ? nanos : observedNanos + WEIGHT * (nanos - observedNanos);
    limit.answered(nanos, underWay);
    breaker.succeeded(nowNanos, latencyNanos);
    underWay--;
  }

  void failed(long nowNanos, Failure failure) {
    breaker.failed(nowNanos, failure);
    underWay--;
  }

  void pushedBack(long nowNanos, long retryAfterNanos) {
    busyUntilNanos = nowNanos + retryAfterNanos;
    pushedBack = true;
    underWay--;
  }

  void abandoned() {
    underWay--;
  }

  void reported(long nowNanos, LoadReport fresh) {
    report = fresh;
    reportedNanos = nowNanos;
    backlog.correct(nowNanos, link.rttNanos(), fresh);
  }

  Removal removal(long nowNanos, long random) {
    if (state != Removal.NONE) {
      return state;
    }
    if (!breaker.allows(nowNanos)) {
      return Removal.BREAKER;
    }
    if (underWay >= limit.limit() && !isReported(nowNanos)) {
      return Removal.FULL;
    }
    return share < 1 && !Rendezvous.isWithin(share, random, hash) ? Removal.RAMP : Removal.NONE;
  }

  /** Whether it takes all the requests that are its own. */
  boolean isWhole(long nowNanos) {
    return state == Removal.NONE && share >= 1 && breaker.state(nowNanos) == Breaker.State.CLOSED;
  }

  long serviceNanos(long nowNanos) {
    return report != null && isReported(nowNanos) ? report.serviceNanos() : (long) observedNanos;
  }

  /** How long a request that is sent now will wait there for a lane; 0 where it does not tell. */
  long waitNanos(long nowNanos) {
    if (report == null || !isReported(nowNanos)) {
      return 0;
    }
    double before = backlog.requests(nowNanos);
    double toEnd = Math.max(0, before - report.lanes() + 1);
    return (long) (toEnd / report.perSecond() * 1e9);
  }

  /** How long it asked to be left alone. */
  long penaltyNanos(long nowNanos) {
    if (!pushedBack) {
      return 0;
    }
    long left = busyUntilNanos - nowNanos;
    pushedBack = left > 0;
    return Math.max(0, left);
  }

  private boolean isReported(long nowNanos) {
    return report != null && nowNanos - reportedNanos <= STALE_NANOS;
  }
}
