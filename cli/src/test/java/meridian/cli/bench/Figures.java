package meridian.cli.bench;

import java.time.Duration;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.latency.Stage;

/** Measurements of a server that never was. */
public final class Figures {

  private static final long MS = 1_000_000;

  private Figures() {}

  /** Latencies of 1 ms, 2 ms … as many as answered, half of it in the model; late by a tenth. */
  public static LoadRecord.Interval interval(int answered, int failed) {
    LoadRecord.Interval interval = LoadRecord.Interval.empty();
    for (int i = 1; i <= answered; i++) {
      interval.latencies().recordValue(i * MS);
      interval.lateness().recordValue(MS / 10);
      interval.stageNanos().merge(Stage.MODEL, i * MS / 2, Long::sum);
      interval.stageNanos().merge(Stage.NETWORK, i * MS / 2, Long::sum);
    }
    if (failed > 0) {
      interval.failures().put(ErrorCode.OVERLOADED, (long) failed);
      interval.examples().put(ErrorCode.OVERLOADED, "queue: 9 < 10 & full");
    }
    return interval;
  }

  /** Ten seconds of load. */
  public static Measurement measurement(LoadRecord.Interval total, Measurement.Usage usage) {
    return measurement(total, usage, 0.05);
  }

  static Measurement measurement(
      LoadRecord.Interval total, Measurement.Usage usage, double drainSeconds) {
    return measurement(total, usage, drainSeconds, 0);
  }

  static Measurement measurement(
      LoadRecord.Interval total, Measurement.Usage usage, double drainSeconds, long waited) {
    Timeline timeline = new Timeline();
    for (int i = 0; i < 10; i++) {
      timeline.add(interval(5 + i, 1), 1);
    }
    return new Measurement(
        total,
        total.answered() + total.failed(),
        new Measurement.Span(10, 10 + drainSeconds, drainSeconds),
        timeline.points(),
        waited,
        usage);
  }

  /** Shares of a core, over ten seconds. */
  public static Measurement.Usage usage(double generator, double busiest, double target) {
    return new Measurement.Usage(
        (long) (generator * 1e10), (long) (busiest * 1e10), (long) (target * 1e10));
  }

  public static Plan plan(String title, Double askedPerSecond, Plan.Limit limit) {
    return new Plan(title, askedPerSecond, Duration.ofMillis(100), 1, limit);
  }

  /** A report with all there can be in it. */
  public static LoadReport report(String title) {
    Measurement server = measurement(interval(1_000, 3), usage(0.2, 0.1, 0.8));
    Measurement limit = measurement(interval(500, 0), usage(0.2, 0.1, 0.3));
    MaxRate.Trial trial = new MaxRate.Trial(100, true, true, server);
    return LoadReport.of(
        plan(title, 100.0, new Plan.Limit(1, 1)),
        new LoadTest.Result(server, limit),
        List.of(trial),
        2);
  }
}
