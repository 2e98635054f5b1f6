package meridian.cli.bench.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import meridian.cli.bench.LoadRecord;
import meridian.cli.bench.LoadReport;
import meridian.cli.bench.MaxRate;
import meridian.cli.bench.Measurement;
import meridian.cli.bench.Ratios;
import meridian.cli.bench.Verdict;
import meridian.cli.config.Units;
import org.jspecify.annotations.Nullable;

/** A {@link LoadReport} as one page: plots, and every figure in a table too. */
public final class HtmlReport {

  private final LoadReport report;
  private final Measurement server;
  private final @Nullable Measurement limit;
  private final Markup out = new Markup();

  private HtmlReport(LoadReport report) {
    this.report = report;
    this.server = report.result().server();
    this.limit = report.result().limit();
  }

  /** Well-formed as XML too. It fetches nothing and runs no script. */
  public static String of(LoadReport report) {
    return new HtmlReport(report).page();
  }

  private String page() {
    out.doctype().open("html", "lang", "en").open("head").empty("meta", "charset", "utf-8");
    out.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    out.element("title", report.plan().title()).element("style", style()).close().open("body");
    out.element("h1", report.plan().title());
    verdict(report.verdict());
    latency();
    overTime();
    heading("Where the time went");
    Stages.write(out, server.total());
    ratios();
    failures();
    trials();
    return out.close().close().toString();
  }

  private void verdict(Verdict verdict) {
    String kind =
        !verdict.keptUp() || !verdict.withinBudget()
            ? " bad"
            : verdict.generatorLimits().isEmpty() ? "" : " doubt";
    out.open("p", "class", "verdict" + kind);
    boolean first = true;
    for (String line : verdict.text().split("\n", -1)) {
      if (!first) {
        out.empty("br");
      }
      out.text(line);
      first = false;
    }
    out.close();
  }

  private void latency() {
    heading("Latency by percentile");
    LoadRecord.Interval inProcess = limit == null ? null : limit.total();
    Plots.percentiles(server.total(), inProcess).draw(out);
    List<String> head = new ArrayList<>(List.of("", "answered", "failed"));
    for (double percentile : LoadReport.PERCENTILES) {
      head.add(LoadReport.name(percentile).toUpperCase(Locale.ROOT) + " ms");
    }
    head.add("max ms");
    List<List<String>> rows = new ArrayList<>();
    rows.add(figures("server", server.total()));
    if (inProcess != null) {
      rows.add(figures("in process", inProcess));
    }
    Table.of(head, rows).write(out);
  }

  private static List<String> figures(String name, LoadRecord.Interval interval) {
    List<String> cells = new ArrayList<>();
    cells.add(name);
    cells.add(Long.toString(interval.answered()));
    cells.add(Long.toString(interval.failed()));
    for (double percentile : LoadReport.PERCENTILES) {
      cells.add(Units.millis(interval.nanosAt(percentile)));
    }
    cells.add(Units.millis(interval.latencies().getMaxValue()));
    return cells;
  }

  private void overTime() {
    heading("Latency over time");
    Plots.latencies(server).draw(out);
    heading("Throughput over time");
    Plots.throughput(server).draw(out);
    out.open("details").element("summary", "Every second in figures");
    List<List<String>> rows =
        server.timeline().stream()
            .map(
                point ->
                    List.of(
                        f("%.1f", point.atSeconds()),
                        f("%.1f", point.answeredPerSecond()),
                        f("%.1f", point.failedPerSecond()),
                        f("%.2f", point.p50Millis()),
                        f("%.2f", point.p99Millis()),
                        f("%.2f", point.maxMillis())))
            .toList();
    Table.of(List.of("from s", "answered/s", "failed/s", "P50 ms", "P99 ms", "max ms"), rows)
        .write(out);
    out.close();
  }

  private void ratios() {
    Ratios ratios = report.ratios();
    if (ratios == null) {
      return;
    }
    heading("Against the same work in process");
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
    Table.of(List.of("", "server", "in process", "ratio"), rows).write(out);
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

  private static @Nullable Double millis(@Nullable Measurement side, double percentile) {
    return side == null ? null : side.total().nanosAt(percentile) / 1e6;
  }

  private void failures() {
    LoadRecord.Interval total = server.total();
    if (total.failures().isEmpty()) {
      return;
    }
    heading("Failures");
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
    Table.of(List.of("code", "count", "such as"), rows).write(out);
  }

  private void trials() {
    if (report.trials().isEmpty()) {
      return;
    }
    heading("Trials");
    List<List<String>> rows = new ArrayList<>();
    for (MaxRate.Trial trial : report.trials()) {
      rows.add(
          List.of(
              f("%.1f/s", trial.rate()),
              Units.millis(trial.measured().total().nanosAt(99)),
              f("%.2f %%", 100 * trial.measured().failedShare()),
              trial.passed() ? "passed" : "failed"));
    }
    Table.of(List.of("rate", "P99 ms", "without an answer", ""), rows).write(out);
  }

  private void heading(String text) {
    out.element("h2", text);
  }

  private static String f(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String style() {
    try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(Objects.requireNonNull(css).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
