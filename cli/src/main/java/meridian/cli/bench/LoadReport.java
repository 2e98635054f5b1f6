package meridian.cli.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import meridian.cli.config.Units;
import meridian.core.latency.Stage;
import org.HdrHistogram.Histogram;

/**
 * A {@link LoadTest.Result} for people and for machines. All times are in milliseconds from the
 * intended start of a request.
 */
public record LoadReport(String title, LoadTest.Result result) {

  private static final double[] PERCENTILES = {50, 95, 99, 99.9};

  public String text() {
    StringBuilder text = new StringBuilder(title).append('\n');
    text.append(
        String.format(
            Locale.ROOT,
            "%-12s %9s %7s %8s %8s %8s %8s %8s%n",
            "",
            "answered",
            "failed",
            "P50 ms",
            "P95 ms",
            "P99 ms",
            "P99.9 ms",
            "max ms"));
    row(text, "server", result.server());
    LoadRecord.Interval limit = result.limit();
    if (limit != null) {
      row(text, "in process", limit);
      compare(text, result.server().latencies(), limit.latencies());
    }
    breakdown(text);
    return text.toString().stripTrailing();
  }

  private static void row(StringBuilder text, String name, LoadRecord.Interval interval) {
    text.append(
        String.format(Locale.ROOT, "%-12s %9d %7d", name, interval.answered(), interval.failed()));
    for (double percentile : PERCENTILES) {
      text.append(' ').append(cell(interval.latencies().getValueAtPercentile(percentile)));
    }
    text.append(' ').append(cell(interval.latencies().getMaxValue())).append('\n');
    interval
        .failures()
        .forEach(
            (code, n) ->
                text.append(
                    "  failed: %d %s, such as: %s%n"
                        .formatted(n, code.label(), interval.examples().get(code))));
  }

  private static void compare(StringBuilder text, Histogram server, Histogram limit) {
    text.append(String.format(Locale.ROOT, "%-12s %9s %7s", "added", "", ""));
    for (double percentile : PERCENTILES) {
      text.append(' ')
          .append(
              cell(
                  server.getValueAtPercentile(percentile)
                      - limit.getValueAtPercentile(percentile)));
    }
    text.append('\n').append(String.format(Locale.ROOT, "%-12s %9s %7s", "ratio", "", ""));
    for (double percentile : PERCENTILES) {
      text.append(String.format(Locale.ROOT, " %8.2f", ratio(server, limit, percentile)));
    }
    text.append('\n');
  }

  private static double ratio(Histogram server, Histogram limit, double percentile) {
    return (double) server.getValueAtPercentile(percentile)
        / Math.max(1, limit.getValueAtPercentile(percentile));
  }

  private void breakdown(StringBuilder text) {
    LoadRecord.Interval server = result.server();
    double total = 0;
    for (Stage stage : Stage.values()) {
      total += server.meanNanos(stage);
    }
    text.append("mean breakdown:");
    for (Stage stage : Stage.values()) {
      double nanos = server.meanNanos(stage);
      double percent = total == 0 ? 0 : 100 * nanos / total;
      text.append(
          String.format(
              Locale.ROOT, "  %s %s ms (%.0f %%)", stage.label(), Units.millis(nanos), percent));
    }
    text.append('\n');
  }

  private static String cell(long nanos) {
    return String.format(Locale.ROOT, "%8s", Units.millis(nanos));
  }

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", title);
    json.put("sent", result.sent());
    json.set("server", json(result.server()));
    LoadRecord.Interval limit = result.limit();
    if (limit != null) {
      json.set("in_process", json(limit));
    }
    return json;
  }

  /** Counts, percentiles and mean stages of an interval, in milliseconds. */
  public static ObjectNode json(LoadRecord.Interval interval) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("answered", interval.answered());
    ObjectNode failed = json.putObject("failed");
    interval.failures().forEach((code, n) -> failed.put(code.label(), n));
    for (double percentile : PERCENTILES) {
      json.put(
          "p" + (percentile == Math.rint(percentile) ? (int) percentile : percentile),
          interval.latencies().getValueAtPercentile(percentile) / 1e6);
    }
    json.put("max", interval.latencies().getMaxValue() / 1e6);
    ObjectNode stages = json.putObject("mean_breakdown");
    for (Stage stage : Stage.values()) {
      stages.put(stage.label(), interval.meanNanos(stage) / 1e6);
    }
    return json;
  }
}
