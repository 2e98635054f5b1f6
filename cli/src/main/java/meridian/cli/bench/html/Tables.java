package meridian.cli.bench.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import meridian.cli.bench.LoadRecord;
import meridian.cli.bench.LoadReport;
import meridian.cli.bench.MaxRate;
import meridian.cli.bench.Measurement;
import meridian.cli.bench.Ratios;
import meridian.cli.config.Units;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The figures of a report in tables. */
final class Tables {

  private Tables() {}

  static Table percentiles(LoadRecord.Interval server, LoadRecord.@Nullable Interval limit) {
    List<String> head = new ArrayList<>(List.of("", "answered", "failed"));
    for (double percentile : LoadReport.PERCENTILES) {
      head.add(LoadReport.name(percentile).toUpperCase(Locale.ROOT) + " ms");
    }
    head.add("max ms");
    List<List<String>> rows = new ArrayList<>();
    rows.add(latencies("server", server.failed(), server.latencies()));
    if (server.byPriority().size() > 1) {
      server
          .byPriority()
          .forEach(
              (priority, group) ->
                  rows.add(latencies("priority " + priority, group.failed(), group.latencies())));
    }
    if (limit != null) {
      rows.add(latencies("in process", limit.failed(), limit.latencies()));
    }
    return Table.of(head, rows);
  }

  private static List<String> latencies(String name, long failed, Histogram latencies) {
    List<String> cells = new ArrayList<>();
    cells.add(name);
    cells.add(Long.toString(latencies.getTotalCount()));
    cells.add(Long.toString(failed));
    for (double percentile : LoadReport.PERCENTILES) {
      cells.add(Units.millis(latencies.getValueAtPercentile(percentile)));
    }
    cells.add(Units.millis(latencies.getMaxValue()));
    return cells;
  }

  static Table seconds(List<Measurement.Point> points) {
    List<List<String>> rows = new ArrayList<>();
    for (Measurement.Point point : points) {
      rows.add(
          List.of(
              f("%.1f", point.atSeconds()),
              f("%.1f", point.answeredPerSecond()),
              f("%.1f", point.failedPerSecond()),
              f("%.2f", point.p50Millis()),
              f("%.2f", point.p99Millis()),
              f("%.2f", point.maxMillis())));
    }
    return Table.of(
        List.of("from s", "answered/s", "failed/s", "P50 ms", "P99 ms", "max ms"), rows);
  }

  static Table ratios(Ratios ratios, Measurement server, Measurement limit) {
    List<List<String>> rows = new ArrayList<>();
    ratio(rows, "P50 ms", millis(server, 50), millis(limit, 50), ratios.p50());
    ratio(rows, "P99 ms", millis(server, 99), millis(limit, 99), ratios.p99());
    ratio(
        rows,
        "processor ms per row",
        ratios.serverCpuMillis(),
        ratios.limitCpuMillis(),
        ratios.cpu());
    ratio(
        rows,
        "rows per second",
        ratios.serverRowsPerSecond(),
        ratios.limitRowsPerSecond(),
        ratios.throughput());
    return Table.of(List.of("", "server", "in process", "ratio"), rows);
  }

  private static void ratio(
      List<List<String>> rows,
      String name,
      @Nullable Double server,
      @Nullable Double limit,
      @Nullable Double ratio) {
    if (server != null && limit != null && ratio != null) {
      rows.add(List.of(name, f("%.4g", server), f("%.4g", limit), f("%.2f", ratio)));
    }
  }

  private static double millis(Measurement side, double percentile) {
    return side.total().nanosAt(percentile) / 1e6;
  }

  static Table failures(LoadRecord.Interval total) {
    List<List<String>> rows = new ArrayList<>();
    total
        .failures()
        .forEach(
            (code, n) ->
                rows.add(
                    List.of(
                        code.label(),
                        Long.toString(n),
                        String.valueOf(total.examples().get(code)))));
    return Table.of(List.of("code", "count", "such as"), rows);
  }

  static Table trials(List<MaxRate.Trial> trials) {
    List<List<String>> rows = new ArrayList<>();
    for (MaxRate.Trial trial : trials) {
      rows.add(
          List.of(
              f("%.1f/s", trial.rate()),
              Units.millis(trial.measured().total().nanosAt(99)),
              f("%.2f %%", 100 * trial.measured().failedShare()),
              (trial.passed() ? "passed" : "failed") + (trial.confirming() ? ", decides" : "")));
    }
    return Table.of(List.of("rate", "P99 ms", "without an answer", ""), rows);
  }

  private static String f(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
