package meridian.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import meridian.cli.config.Units;

/**
 * Whether the server does for the rate and the budget, and whether the figures are its own.
 *
 * @param keptUp it answered at the rate it was sent to; in a closed loop, it answered
 * @param withinBudget P99 was
 * @param generatorLimits why the figures are partly the load generator's; empty when they are not
 */
public record Verdict(
    boolean keptUp, boolean withinBudget, List<String> generatorLimits, String text) {

  /** More of a core than this leaves a thread no time to be on time. */
  private static final double BUSY = 0.9;

  private static final double LATE_SHARE = 0.1;
  private static final double LATE_LEAST_NANOS = 1e6;
  private static final double BACKLOG = 0.05;

  public Verdict {
    generatorLimits = List.copyOf(generatorLimits);
  }

  /**
   * @param processors of this machine
   */
  public static Verdict of(Plan plan, Measurement server, int processors) {
    boolean keptUp = keptUp(plan, server);
    boolean within = server.answered() > 0 && server.total().nanosAt(99) <= plan.budget().toNanos();
    List<String> limits = limits(server, processors);
    return new Verdict(
        keptUp,
        within,
        limits,
        serverText(plan, server, keptUp, within) + '\n' + generatorText(server, limits));
  }

  private static boolean keptUp(Plan plan, Measurement server) {
    double allowed = plan.budget().toNanos() / 1e9 + BACKLOG * server.span().sendingSeconds();
    return server.answered() > 0
        && server.failedShare() <= Plan.TOLERATED_FAILURES
        && (plan.askedPerSecond() == null || server.span().drainSeconds() <= allowed);
  }

  private static List<String> limits(Measurement server, int processors) {
    List<String> limits = new ArrayList<>();
    if (busiest(server) > BUSY) {
      limits.add("a thread of it was busy all the time");
    }
    if (cores(server) > BUSY * processors) {
      limits.add("it used all processors");
    }
    double late = server.total().lateness().getValueAtPercentile(99);
    if (late > Math.max(LATE_LEAST_NANOS, LATE_SHARE * server.total().nanosAt(99))) {
      limits.add("it sent too late");
    }
    if (server.waited() > 0) {
      limits.add(server.waited() + " requests waited for a connection");
    }
    return limits;
  }

  private static String serverText(
      Plan plan, Measurement server, boolean keptUp, boolean withinBudget) {
    String asked =
        plan.askedPerSecond() == null ? "" : "sent %.1f/s, ".formatted(server.sentPerSecond());
    return String.format(
        Locale.ROOT,
        "verdict: the server %s (%sanswered %.1f/s, %.2f %% without an answer), P99 %s ms is %s the"
            + " budget of %s",
        keptUp ? "kept up" : "did not keep up",
        asked,
        server.answeredPerSecond(),
        100 * server.failedShare(),
        Units.millis(server.total().nanosAt(99)),
        withinBudget ? "within" : "over",
        Units.format(plan.budget()));
  }

  private static String generatorText(Measurement server, List<String> limits) {
    String late =
        server.total().lateness().getTotalCount() == 0
            ? ""
            : ", sent 99 %% within %s ms of their time"
                .formatted(Units.millis(server.total().lateness().getValueAtPercentile(99)));
    return String.format(
        Locale.ROOT,
        "load generator: used %.0f %% of a core, its busiest thread %.0f %%%s; the figures are %s",
        100 * cores(server),
        100 * busiest(server),
        late,
        limits.isEmpty()
            ? "the server's"
            : "partly the generator's, because " + String.join(" and ", limits));
  }

  /** Processors that the load generator used, on average. */
  static double cores(Measurement server) {
    return share(server.usage().generatorNanos(), server);
  }

  /** The share of a processor that its busiest thread used, 0 to 1. */
  static double busiest(Measurement server) {
    return share(server.usage().busiestThreadNanos(), server);
  }

  private static double share(long nanos, Measurement server) {
    return server.span().seconds() == 0 ? 0 : nanos / 1e9 / server.span().seconds();
  }
}
