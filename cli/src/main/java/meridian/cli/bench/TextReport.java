package meridian.cli.bench;

import java.util.Locale;
import meridian.cli.config.Units;
import meridian.core.latency.Stage;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A report as lines for a terminal. */
final class TextReport {

  private final LoadReport report;
  private final StringBuilder text = new StringBuilder();

  TextReport(LoadReport report) {
    this.report = report;
  }

  String text() {
    text.append(report.plan().title()).append('\n');
    append(
        "%-12s %9s %7s %8s %8s %8s %8s %8s%n",
        "", "answered", "failed", "P50 ms", "P95 ms", "P99 ms", "P99.9 ms", "max ms");
    LoadRecord.Interval server = report.result().server().total();
    row("server", server);
    priorities(server);
    Measurement limit = report.result().limit();
    if (limit != null) {
      row("in process", limit.total());
    }
    if (limit != null && report.ratios() != null) {
      compare(server, limit.total(), report.ratios());
    }
    breakdown(server);
    return text.append(report.verdict().text()).toString();
  }

  private void row(String name, LoadRecord.Interval interval) {
    row(name, interval.failed(), interval.latencies());
    interval
        .failures()
        .forEach(
            (code, n) ->
                append(
                    "  failed: %d %s, such as: %s%n",
                    n, code.label(), interval.examples().get(code)));
  }

  private void priorities(LoadRecord.Interval interval) {
    if (interval.byPriority().size() > 1) {
      interval
          .byPriority()
          .forEach(
              (priority, group) -> row("priority " + priority, group.failed(), group.latencies()));
    }
  }

  private void row(String name, long failed, Histogram latencies) {
    append("%-12s %9d %7d", name, latencies.getTotalCount(), failed);
    for (double percentile : LoadReport.PERCENTILES) {
      cell(latencies.getValueAtPercentile(percentile));
    }
    cell(latencies.getMaxValue());
    text.append('\n');
  }

  private void compare(LoadRecord.Interval server, LoadRecord.Interval limit, Ratios ratios) {
    if (ratios.p50() != null) {
      append("%-12s %9s %7s", "added", "", "");
      for (double percentile : LoadReport.PERCENTILES) {
        cell(server.nanosAt(percentile) - limit.nanosAt(percentile));
      }
      append("%n%-12s %9s %7s", "ratio", "", "");
      for (double percentile : LoadReport.PERCENTILES) {
        append(" %8.2f", (double) server.nanosAt(percentile) / limit.nanosAt(percentile));
      }
      text.append('\n');
    }
    ratio("processor ms per row", ratios.serverCpuMillis(), ratios.limitCpuMillis(), ratios.cpu());
    ratio(
        "rows per second",
        ratios.serverRowsPerSecond(),
        ratios.limitRowsPerSecond(),
        ratios.throughput());
  }

  private void ratio(
      String name, @Nullable Double server, @Nullable Double limit, @Nullable Double ratio) {
    if (server != null && limit != null && ratio != null) {
      append("%s: server %.4g, in process %.4g, ratio %.2f%n", name, server, limit, ratio);
    }
  }

  private void breakdown(LoadRecord.Interval server) {
    text.append("mean breakdown:");
    for (Stage stage : Stage.values()) {
      append(
          "  %s %s ms (%.0f %%)",
          stage.label(), Units.millis(server.meanNanos(stage)), 100 * server.share(stage));
    }
    text.append('\n');
  }

  private void cell(long nanos) {
    append(" %8s", Units.millis(nanos));
  }

  private void append(String format, @Nullable Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
