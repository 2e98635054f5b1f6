package meridian.cli.bench;

import meridian.core.latency.Stage;
import org.jspecify.annotations.Nullable;

/**
 * The server against the same work in process; a figure is null where one side does not have it. A
 * row is one inference.
 *
 * @param p50 of latency, server over in process
 * @param p99 of latency, server over in process
 * @param serverCpuMillis processor time of the server's process for a row
 * @param limitCpuMillis processor time of a row in process
 * @param cpu the one over the other
 * @param serverRowsPerSecond answered in a closed loop
 * @param limitRowsPerSecond run in process without a break
 * @param throughput the one over the other
 */
public record Ratios(
    @Nullable Double p50,
    @Nullable Double p99,
    @Nullable Double serverCpuMillis,
    @Nullable Double limitCpuMillis,
    @Nullable Double cpu,
    @Nullable Double serverRowsPerSecond,
    @Nullable Double limitRowsPerSecond,
    @Nullable Double throughput) {

  static Ratios of(Plan plan, Plan.Limit how, Measurement server, Measurement limit) {
    boolean sameWork = how.rows() == plan.rows();
    boolean saturated = plan.askedPerSecond() == null;
    Double serverCpu = cpuMillis(server, plan.rows());
    Double limitCpu = cpuMillis(limit, how.rows());
    Double serverRows = saturated ? server.answeredPerSecond() * plan.rows() : null;
    Double limitRows = saturated ? runRowsPerSecond(limit, how) : null;
    return new Ratios(
        sameWork ? latency(server, limit, 50) : null,
        sameWork ? latency(server, limit, 99) : null,
        serverCpu,
        limitCpu,
        over(serverCpu, limitCpu),
        serverRows,
        limitRows,
        over(serverRows, limitRows));
  }

  private static @Nullable Double latency(
      Measurement server, Measurement limit, double percentile) {
    return server.answered() == 0 || limit.answered() == 0
        ? null
        : over(
            (double) server.total().nanosAt(percentile),
            (double) limit.total().nanosAt(percentile));
  }

  private static @Nullable Double cpuMillis(Measurement side, int rows) {
    long nanos = side.usage().targetNanos();
    return nanos < 0 || side.answered() == 0 ? null : nanos / 1e6 / side.answered() / rows;
  }

  /** While it runs: the making of inputs, which a server does not do either, is left out. */
  private static @Nullable Double runRowsPerSecond(Measurement limit, Plan.Limit how) {
    double runNanos = limit.total().meanNanos(Stage.MODEL);
    return runNanos == 0 ? null : how.threads() * how.rows() / (runNanos / 1e9);
  }

  private static @Nullable Double over(@Nullable Double one, @Nullable Double other) {
    return one == null || other == null || other == 0 ? null : one / other;
  }
}
