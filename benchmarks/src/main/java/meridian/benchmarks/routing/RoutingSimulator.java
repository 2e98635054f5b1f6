package meridian.benchmarks.routing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Prints how requests fare under each rule. Arguments: seconds of virtual time, 120 by default. */
public final class RoutingSimulator {

  static final List<Scenario> SCENARIOS =
      List.of(
          Scenario.twoRegions(0.6),
          Scenario.twoRegions(0.9),
          Scenario.twoRegions(1.5),
          Scenario.world("six regions, load 0.3 to 0.8", 0.8, 0.5, 0.3, 0.7, 0.6, 0.4),
          Scenario.world(
              "six regions, a crowd of 1.5 in Kuala Lumpur", 1.5, 0.5, 0.3, 0.5, 0.5, 0.5),
          Scenario.world("six regions, 1.3 in Amsterdam, 1.2 in Tokyo", .6, .5, .3, 1.2, 1.3, .4));

  static final Map<String, Simulation.Maker> RULES = rules();

  private RoutingSimulator() {}

  private static Map<String, Simulation.Maker> rules() {
    Map<String, Simulation.Maker> rules = new LinkedHashMap<>();
    rules.put("oracle", (_, sites, rtt) -> new Oracle(sites, rtt));
    rules.put("Meridian", (topology, _, _) -> new ByRouter(topology));
    rules.put("peak-EWMA", (_, _, rtt) -> new PeakEwma(rtt));
    return rules;
  }

  public static void main(String[] args) {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    long nanos = TimeUnit.SECONDS.toNanos(args.length > 0 ? Long.parseLong(args[0]) : 120);
    for (Scenario scenario : SCENARIOS) {
      out.printf("%n%s%n%n", scenario.name());
      out.println(
          "| rule | P50 ms | P99 ms | of the oracle's | farther | while the near is idle |");
      out.println("|---|--:|--:|--:|--:|--:|");
      double best = 0;
      for (Map.Entry<String, Simulation.Maker> rule : RULES.entrySet()) {
        Tally tally = Simulation.run(scenario, rule.getValue(), nanos);
        best = best == 0 ? tally.millis(0.99) : best;
        out.printf(
            "| %s | %.1f | %.1f | %.2f | %.2f %% | %.3f %% |%n",
            rule.getKey(),
            tally.millis(0.5),
            tally.millis(0.99),
            tally.millis(0.99) / best,
            100 * tally.awayShare(),
            100 * tally.awayFromIdleShare());
      }
    }
  }
}
