package meridian.cli.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import meridian.cli.bench.Measurement.Point;
import meridian.core.latency.Stage;
import org.HdrHistogram.Histogram;

/** A report for machines. Times are in milliseconds unless the name says otherwise. */
public final class JsonReport {

  private JsonReport() {}

  public static ObjectNode of(LoadReport report) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    Measurement server = report.result().server();
    json.put("title", report.plan().title());
    json.put("asked_per_second", report.plan().askedPerSecond());
    json.put("budget", report.plan().budget().toNanos() / 1e6);
    json.put("sent", server.sent());
    json.put("sent_per_second", server.sentPerSecond());
    json.put("answered_per_second", server.answeredPerSecond());
    json.set("server", of(server.total()));
    Measurement limit = report.result().limit();
    if (limit != null) {
      json.set("in_process", of(limit.total()));
    }
    if (report.ratios() != null) {
      ratios(json.putObject("ratios"), report.ratios());
    }
    verdict(json.putObject("verdict"), report.verdict());
    generator(json.putObject("load_generator"), server);
    timeline(json.putArray("timeline"), server);
    trials(json, report);
    return json;
  }

  /** Counts, percentiles and mean stages of an interval. */
  public static ObjectNode of(LoadRecord.Interval interval) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("answered", interval.answered());
    ObjectNode failed = json.putObject("failed");
    interval.failures().forEach((code, n) -> failed.put(code.label(), n));
    latencies(json, interval.latencies());
    if (interval.byPriority().size() > 1) {
      ObjectNode priorities = json.putObject("by_priority");
      interval
          .byPriority()
          .forEach((priority, group) -> priorities.set(priority.toString(), of(group)));
    }
    ObjectNode stages = json.putObject("mean_breakdown");
    for (Stage stage : Stage.values()) {
      stages.put(stage.label(), interval.meanNanos(stage) / 1e6);
    }
    return json;
  }

  private static ObjectNode of(PriorityGroup group) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("answered", group.latencies().getTotalCount());
    json.put("failed", group.failed());
    latencies(json, group.latencies());
    return json;
  }

  private static void latencies(ObjectNode json, Histogram latencies) {
    for (double percentile : LoadReport.PERCENTILES) {
      json.put(LoadReport.name(percentile), latencies.getValueAtPercentile(percentile) / 1e6);
    }
    json.put("max", latencies.getMaxValue() / 1e6);
  }

  private static void ratios(ObjectNode json, Ratios ratios) {
    json.put("p50", ratios.p50());
    json.put("p99", ratios.p99());
    json.put("server_cpu_per_row", ratios.serverCpuMillis());
    json.put("in_process_cpu_per_row", ratios.limitCpuMillis());
    json.put("cpu_per_row", ratios.cpu());
    json.put("server_rows_per_second", ratios.serverRowsPerSecond());
    json.put("in_process_rows_per_second", ratios.limitRowsPerSecond());
    json.put("rows_per_second", ratios.throughput());
  }

  private static void verdict(ObjectNode json, Verdict verdict) {
    json.put("kept_up", verdict.keptUp());
    json.put("within_budget", verdict.withinBudget());
    ArrayNode limits = json.putArray("generator_limits");
    verdict.generatorLimits().forEach(limits::add);
    json.put("text", verdict.text());
  }

  private static void generator(ObjectNode json, Measurement server) {
    json.put("cores", Verdict.cores(server));
    json.put("busiest_thread", Verdict.busiest(server));
    json.put("waited", server.waited());
    json.put("p99_late", server.total().lateness().getValueAtPercentile(99) / 1e6);
  }

  private static void timeline(ArrayNode json, Measurement server) {
    for (Point point : server.timeline()) {
      ObjectNode second = json.addObject();
      second.put("at_seconds", point.atSeconds());
      second.put("answered_per_second", point.answeredPerSecond());
      second.put("failed_per_second", point.failedPerSecond());
      second.put("p50", point.p50Millis());
      second.put("p99", point.p99Millis());
      second.put("max", point.maxMillis());
    }
  }

  private static void trials(ObjectNode json, LoadReport report) {
    if (!report.trials().isEmpty()) {
      json.set("trials", trials(report.trials()));
    }
  }

  /** The trials of a search, in their order. */
  public static ArrayNode trials(Iterable<MaxRate.Trial> trials) {
    ArrayNode json = JsonNodeFactory.instance.arrayNode();
    for (MaxRate.Trial trial : trials) {
      ObjectNode entry = json.addObject();
      entry.put("rate", trial.rate());
      entry.put("confirming", trial.confirming());
      entry.put("passed", trial.passed());
      entry.put("p99", trial.measured().total().nanosAt(99) / 1e6);
      entry.put("failed_share", trial.measured().failedShare());
    }
    return json;
  }
}
