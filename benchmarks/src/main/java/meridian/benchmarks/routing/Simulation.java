package meridian.benchmarks.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import meridian.fleet.topology.Topology;

/** Runs a scenario under one rule, in virtual time; the same requests under each. */
final class Simulation {

  /** Who makes the rule of a gateway. */
  interface Maker {
    Rule rule(Topology topology, List<Site> sites, long[] rttNanos);
  }

  private static final long SEED = 17;
  private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Of the ways, at the mean: what others on the network add. */
  private static final double JITTER = 0.02;

  private final Scenario scenario;
  private final Agenda agenda = new Agenda();
  private final List<Site> sites;
  private final List<Gateway> gateways = new ArrayList<>();
  private final Tally tally = new Tally();

  private Simulation(Scenario scenario, Maker maker, long lengthNanos) {
    this.scenario = scenario;
    long meanNanos = nanos(scenario.serviceMillis());
    this.sites =
        Stream.generate(() -> new Site(agenda, scenario.lanes(), meanNanos))
            .limit(scenario.regions().size())
            .toList();
    for (int i = 0; i < sites.size(); i++) {
      long[] rtt = rtt(i);
      gateways.add(new Gateway(i, rtt, maker.rule(scenario.topology(), sites, rtt), lengthNanos));
    }
  }

  static Tally run(Scenario scenario, Maker maker, long lengthNanos) {
    Simulation simulation = new Simulation(scenario, maker, lengthNanos);
    simulation.gateways.forEach(Gateway::start);
    simulation.agenda.run();
    return simulation.tally;
  }

  private long[] rtt(int gateway) {
    return IntStream.range(0, sites.size())
        .mapToLong(site -> nanos(scenario.rttMillis()[gateway][site]))
        .toArray();
  }

  private static long nanos(double millis) {
    return (long) (millis * 1e6);
  }

  private final class Gateway {

    private final long[] rttNanos;
    private final Rule rule;
    private final Random arrivals;
    private final double perNano;
    private final long endNanos;
    private final int nearest;

    Gateway(int number, long[] rttNanos, Rule rule, long endNanos) {
      this.rttNanos = rttNanos;
      this.rule = rule;
      this.arrivals = new Random(SEED + number);
      this.perNano = scenario.load()[number] * scenario.capacity() / 1e9;
      this.endNanos = endNanos;
      this.nearest =
          IntStream.range(0, rttNanos.length)
              .reduce((one, other) -> rttNanos[other] < rttNanos[one] ? other : one)
              .orElseThrow();
    }

    void start() {
      probe();
      next();
    }

    private void probe() {
      for (int i = 0; i < rttNanos.length; i++) {
        int site = i;
        long way = way(site);
        agenda.after(
            way / 2,
            () -> {
              var report = sites.get(site).report();
              agenda.after(way - way / 2, () -> rule.probed(site, agenda.nowNanos(), way, report));
            });
      }
      if (agenda.nowNanos() < endNanos) {
        agenda.after(PROBE_NANOS, this::probe);
      }
    }

    private void next() {
      if (perNano == 0) {
        return;
      }
      long gap = (long) (-Math.log(1 - arrivals.nextDouble()) / perNano);
      if (agenda.nowNanos() + gap < endNanos) {
        agenda.after(
            gap,
            () -> {
              send();
              next();
            });
      }
    }

    private void send() {
      long sentNanos = agenda.nowNanos();
      long serviceNanos = service();
      int site = rule.choose(sentNanos);
      boolean away = rttNanos[site] > rttNanos[nearest];
      boolean idle = away && sites.get(nearest).waitNanos(sentNanos + rttNanos[nearest] / 2) == 0;
      rule.sent(site, sentNanos);
      long way = way(site);
      Runnable done =
          () -> {
            var report = sites.get(site).report();
            agenda.after(
                way - way / 2,
                () -> {
                  long latency = agenda.nowNanos() - sentNanos;
                  rule.answered(site, agenda.nowNanos(), latency, way, report);
                  tally.answered(latency, away, idle);
                });
          };
      sites.get(site).expect(new Site.Visit(sentNanos + way / 2, serviceNanos, done));
    }

    private long service() {
      double sigma = scenario.sigma();
      double factor = Math.exp(sigma * arrivals.nextGaussian() - sigma * sigma / 2);
      return nanos(scenario.serviceMillis() * factor);
    }

    private long way(int site) {
      double jitter = -Math.log(1 - arrivals.nextDouble()) * JITTER;
      return (long) (rttNanos[site] * (1 + jitter));
    }
  }
}
