package meridian.benchmarks;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import meridian.fleet.topology.Region;
import meridian.fleet.topology.Topology;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to choose among twelve regions, and to learn from an answer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RouterBenchmark {

  private static final int REGIONS = 12;
  private static final long MS = 1_000_000;
  private static final int REPORTS = 64;

  private final Topology topology =
      new Topology(
          IntStream.range(0, REGIONS).mapToObj(i -> new Region("region-" + i, "law")).toList());
  private final Decision decision = new Decision(topology);
  private final Router router = router(topology);
  private final ResidencyClass data = new ResidencyClass("public", "law");
  private final Query plain = new Query(0, data, 4_096, Query.NO_SESSION, 0, 12_345);
  private final Query ofSession = new Query(0, data, 4_096, 67_890, 0, 12_345);
  private final LoadReport[] reports =
      IntStream.range(0, REPORTS)
          .mapToObj(i -> new LoadReport(4, i % 9, 200, 20 * MS))
          .toArray(LoadReport[]::new);
  private int turn;
  private long now;

  private static Router router(Topology topology) {
    List<Link> links = Stream.generate(Link::new).limit(REGIONS).toList();
    List<Breaker> breakers =
        Stream.generate(() -> new Breaker(1_000 * MS, new Random(1))).limit(REGIONS).toList();
    Router router = new Router(topology, links, breakers, ResidencyPolicy.unrestricted(topology));
    for (int i = 0; i < REGIONS; i++) {
      links.get(i).rtt().record(0, (10 + 17 * i) * MS);
      links.get(i).bandwidth(10_000_000);
      router.set(i, Removal.NONE, 1);
      router.reported(i, 0, new LoadReport(4, i, 200, 20 * MS));
    }
    return router;
  }

  @Benchmark
  public int decide() {
    router.decide(plain, decision);
    return decision.index();
  }

  @Benchmark
  public int decideOfSession() {
    router.decide(ofSession, decision);
    return decision.index();
  }

  /** Sent, answered and reported: all that a request costs besides the decision. */
  @Benchmark
  public int learn() {
    int region = turn++ % REGIONS;
    now += MS / 10;
    router.sent(region, now);
    router.answered(region, now, 40 * MS);
    router.reported(region, now, reports[turn % REPORTS]);
    return region;
  }
}
