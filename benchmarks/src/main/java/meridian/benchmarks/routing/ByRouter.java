package meridian.benchmarks.routing;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import meridian.fleet.failure.Breaker;
import meridian.fleet.residency.ResidencyClass;
import meridian.fleet.residency.ResidencyPolicy;
import meridian.fleet.routing.Decision;
import meridian.fleet.routing.LoadReport;
import meridian.fleet.routing.Query;
import meridian.fleet.routing.Removal;
import meridian.fleet.routing.Router;
import meridian.fleet.topology.Link;
import meridian.fleet.topology.Topology;

/** Meridian's own. */
final class ByRouter implements Rule {

  private static final ResidencyClass ANY = new ResidencyClass("public", "any");

  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<Link> links;
  private final Router router;
  private final Decision decision;

  ByRouter(Topology topology) {
    int count = topology.regions().size();
    this.links = Stream.generate(Link::new).limit(count).toList();
    List<Breaker> breakers =
        Stream.generate(() -> new Breaker(BUDGET_NANOS, new Random(1))).limit(count).toList();
    this.router = new Router(topology, links, breakers, ResidencyPolicy.unrestricted(topology));
    this.decision = new Decision(topology);
    for (int i = 0; i < count; i++) {
      router.set(i, Removal.NONE, 1);
    }
  }

  @Override
  public int choose(long nowNanos) {
    router.decide(new Query(nowNanos, ANY, 0, Query.NO_SESSION, 0, 0), decision);
    return decision.index();
  }

  @Override
  public void sent(int site, long nowNanos) {
    router.sent(site, nowNanos);
  }

  @Override
  public void answered(
      int site, long nowNanos, long latencyNanos, long rttNanos, LoadReport report) {
    router.answered(site, nowNanos, latencyNanos);
    probed(site, nowNanos, rttNanos, report);
  }

  @Override
  public void probed(int site, long nowNanos, long rttNanos, LoadReport report) {
    links.get(site).rtt().record(nowNanos, rttNanos);
    router.reported(site, nowNanos, report);
  }
}
