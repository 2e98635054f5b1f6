package meridian.cli.bench.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import meridian.cli.bench.LoadRecord;
import meridian.cli.bench.LoadReport;
import meridian.cli.bench.Measurement;
import meridian.cli.bench.Verdict;
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
    rest();
    return out.close().close().toString();
  }

  private void verdict(Verdict verdict) {
    boolean good = verdict.keptUp() && verdict.withinBudget();
    String kind = !good ? " bad" : verdict.generatorLimits().isEmpty() ? "" : " doubt";
    out.open("div", "class", "verdict" + kind);
    verdict.text().lines().forEach(line -> out.element("p", line));
    out.close();
  }

  private void latency() {
    heading("Latency by percentile");
    LoadRecord.Interval inProcess = limit == null ? null : limit.total();
    Plots.percentiles(server.total(), inProcess).draw(out);
    Tables.percentiles(server.total(), inProcess).write(out);
  }

  private void overTime() {
    heading("Latency over time");
    Plots.latencies(server).draw(out);
    heading("Throughput over time");
    Plots.throughput(server).draw(out);
    out.open("details").element("summary", "Every second in figures");
    Tables.seconds(server.timeline()).write(out);
    out.close();
  }

  private void rest() {
    if (report.ratios() != null && limit != null) {
      heading("Against the same work in process");
      Tables.ratios(report.ratios(), server, limit).write(out);
    }
    if (!server.total().failures().isEmpty()) {
      heading("Failures");
      Tables.failures(server.total()).write(out);
    }
    if (!report.trials().isEmpty()) {
      heading("Trials");
      Tables.trials(report.trials()).write(out);
    }
  }

  private void heading(String text) {
    out.element("h2", text);
  }

  private static String style() {
    try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
      return new String(Objects.requireNonNull(css).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
