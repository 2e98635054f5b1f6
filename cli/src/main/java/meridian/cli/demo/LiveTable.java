package meridian.cli.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import meridian.cli.bench.LoadRecord;
import meridian.cli.config.Units;
import meridian.core.latency.Stage;

/** One line per group of users: rate, percentiles, batch size, and where the time goes. */
public final class LiveTable {

  private LiveTable() {}

  /**
   * @param batchSize mean rows of an executed batch
   */
  public record Row(
      String model, String wire, LoadRecord.Interval seen, double seconds, double batchSize) {}

  static List<String> lines(List<Row> rows) {
    List<String> lines = new ArrayList<>();
    lines.add(header());
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  private static String header() {
    StringBuilder header = new StringBuilder();
    header.append(
        String.format(
            Locale.ROOT,
            "%-18s %-11s %6s %6s %7s %7s %7s %6s  ",
            "model",
            "over",
            "req/s",
            "failed",
            "P50 ms",
            "P95 ms",
            "P99 ms",
            "batch"));
    for (Stage stage : Stage.values()) {
      header.append(String.format(Locale.ROOT, " %7s", stage.label()));
    }
    return header.toString();
  }

  private static String line(Row row) {
    LoadRecord.Interval seen = row.seen();
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%-18s %-11s %6.1f %6d %7s %7s %7s %6.2f  ",
            row.model(),
            row.wire(),
            seen.answered() / row.seconds(),
            seen.failed(),
            percentile(seen, 50),
            percentile(seen, 95),
            percentile(seen, 99),
            row.batchSize()));
    for (Stage stage : Stage.values()) {
      line.append(String.format(Locale.ROOT, " %7s", Units.millis(seen.meanNanos(stage))));
    }
    return line.toString();
  }

  private static String percentile(LoadRecord.Interval seen, double percentile) {
    return seen.answered() == 0
        ? "-"
        : Units.millis(seen.latencies().getValueAtPercentile(percentile));
  }
}
