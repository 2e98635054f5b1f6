package meridian.cli.bench.html;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import meridian.cli.bench.LoadRecord;
import meridian.cli.bench.Measurement;
import meridian.cli.bench.Measurement.Point;
import meridian.cli.config.Units;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** The plots of a report. */
final class Plots {

  private static final int TICKS_PER_HALF = 5;

  /** Nines of the last percentile shown: of a million answers one is slower. */
  private static final double MOST_NINES = 6;

  private Plots() {}

  /** Latency by percentile, on an axis that gives every further nine the same room. */
  static Plot percentiles(LoadRecord.Interval server, LoadRecord.@Nullable Interval limit) {
    double nines = Math.clamp(Math.log10((double) Math.max(10, server.answered())), 1, MOST_NINES);
    List<Plot.Line> lines = new ArrayList<>();
    lines.add(new Plot.Line("server", 1, quantiles(server.latencies(), nines)));
    if (limit != null && limit.answered() > 0) {
      lines.add(new Plot.Line("in process", 2, quantiles(limit.latencies(), nines)));
    }
    List<Plot.Tick> ticks = new ArrayList<>();
    for (String label : List.of("0", "50", "90", "99", "99.9", "99.99", "99.999")) {
      double at = nines(Double.parseDouble(label)) / nines;
      if (at <= 1) {
        ticks.add(new Plot.Tick(at, label));
      }
    }
    return new Plot("Latency by percentile", "percentile", "ms", ticks, lines);
  }

  private static List<Plot.Dot> quantiles(Histogram latencies, double nines) {
    List<Plot.Dot> dots = new ArrayList<>();
    for (HistogramIterationValue value : latencies.percentiles(TICKS_PER_HALF)) {
      double percentile = value.getPercentileLevelIteratedTo();
      double at = Math.min(nines, nines(percentile)) / nines;
      long nanos = value.getValueIteratedTo();
      String told = "P%s: %s ms".formatted(Scale.label(percentile), Units.millis(nanos));
      dots.add(new Plot.Dot(at, nanos / 1e6, told));
    }
    return dots;
  }

  private static double nines(double percentile) {
    return -Math.log10(1 - percentile / 100);
  }

  /** P50 and P99 of every second. */
  static Plot latencies(Measurement server) {
    return overTime(
        "Latency over time",
        "ms",
        server,
        List.of(new Series("P50", 1, Point::p50Millis), new Series("P99", 3, Point::p99Millis)));
  }

  /** Answers and failures of every second. */
  static Plot throughput(Measurement server) {
    List<Series> series = new ArrayList<>();
    series.add(new Series("answered", 1, Point::answeredPerSecond));
    if (server.total().failed() > 0) {
      series.add(new Series("failed", 4, Point::failedPerSecond));
    }
    return overTime("Throughput over time", "per s", server, series);
  }

  private record Series(String name, int colour, ToDoubleFunction<Point> value) {}

  private static Plot overTime(String name, String unit, Measurement server, List<Series> series) {
    List<Point> points = server.timeline();
    Point end = points.getLast();
    Scale time = new Scale(end.atSeconds() + end.seconds(), 1);
    Function<Series, Plot.Line> line =
        each ->
            new Plot.Line(
                each.name(),
                each.colour(),
                points.stream().map(point -> dot(each, point, time)).toList());
    return new Plot(
        name,
        "seconds of load",
        unit,
        time.ticks().stream().map(at -> new Plot.Tick(time.at(at), Scale.label(at))).toList(),
        series.stream().map(line).toList());
  }

  private static Plot.Dot dot(Series series, Point point, Scale time) {
    double value = series.value().applyAsDouble(point);
    double middle = point.atSeconds() + point.seconds() / 2;
    String told =
        "%s at %s s: %s".formatted(series.name(), Scale.label(middle), Scale.label(value));
    return new Plot.Dot(time.at(middle), value, told);
  }
}
