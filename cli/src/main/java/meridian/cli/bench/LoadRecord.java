package meridian.cli.bench;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Collects how requests ended; {@link #take()} gives what came since the last call. */
public final class LoadRecord {

  static final long LONGEST_NANOS = 600_000_000_000L;
  static final int DIGITS = 3;

  private final Recorder latencies = new Recorder(LONGEST_NANOS, DIGITS);
  private final Recorder lateness = new Recorder(LONGEST_NANOS, DIGITS);
  private final PriorityRecord priorities = new PriorityRecord();
  private final Map<ErrorCode, LongAdder> failures = new EnumMap<>(ErrorCode.class);
  private final Map<Stage, LongAdder> stageNanos = new EnumMap<>(Stage.class);
  private final Map<ErrorCode, String> examples = new ConcurrentHashMap<>();

  public LoadRecord() {
    for (ErrorCode code : ErrorCode.values()) {
      failures.put(code, new LongAdder());
    }
    for (Stage stage : Stage.values()) {
      stageNanos.put(stage, new LongAdder());
    }
  }

  /** A result in any case: a service that breaks its word counts as a failure of its own. */
  static InferResult orFailure(InferResult result, @Nullable Throwable bug) {
    return bug == null ? result : InferFailure.of(Problem.of(ErrorCode.INTERNAL, bug.toString()));
  }

  /**
   * @param lateNanos from the instant a request was meant to be sent until it was
   */
  void sent(long lateNanos) {
    lateness.recordValue(Math.clamp(lateNanos, 0, LONGEST_NANOS));
  }

  /**
   * @param priority of the request; 0 when it leaves that to the model
   * @param nanos from the instant the request was meant to be sent, so that a stalled server cannot
   *     hide the requests it kept from being sent (coordinated omission)
   */
  void ended(int priority, InferResult result, long nanos) {
    switch (result) {
      case InferResponse response -> {
        long within = Math.clamp(nanos, 0, LONGEST_NANOS);
        answered(response.latency(), within);
        priorities.answered(priority, within);
      }
      case InferFailure failure -> {
        failed(failure.problem());
        priorities.failed(priority);
      }
    }
  }

  private void failed(Problem problem) {
    counter(failures, problem.code()).increment();
    examples.putIfAbsent(problem.code(), problem.message());
  }

  private void answered(LatencyBreakdown latency, long nanos) {
    latencies.recordValue(nanos);
    for (Stage stage : Stage.values()) {
      counter(stageNanos, stage).add(latency.nanos(stage));
    }
  }

  public Interval take() {
    Histogram histogram = latencies.getIntervalHistogram();
    Map<ErrorCode, Long> failed = new EnumMap<>(ErrorCode.class);
    failures.forEach(
        (code, count) -> {
          long n = count.sumThenReset();
          if (n > 0) {
            failed.put(code, n);
          }
        });
    Map<Stage, Long> stages = new EnumMap<>(Stage.class);
    stageNanos.forEach((stage, sum) -> stages.put(stage, sum.sumThenReset()));
    return new Interval(
        histogram,
        lateness.getIntervalHistogram(),
        priorities.take(),
        failed,
        stages,
        new TreeMap<>(examples));
  }

  private static <K extends Enum<K>> LongAdder counter(Map<K, LongAdder> counters, K key) {
    LongAdder counter = counters.get(key);
    if (counter == null) {
      throw new IllegalStateException("counter: none for " + key + " (expected: one per constant)");
    }
    return counter;
  }

  /**
   * What a stretch of time saw.
   *
   * @param latencies of the answered requests, in nanoseconds
   * @param lateness of sending, in nanoseconds; empty where no instant is fixed beforehand
   * @param byPriority those requests that have one
   * @param stageNanos summed over the answered requests
   * @param examples one message for each code that occurred so far
   */
  public record Interval(
      Histogram latencies,
      Histogram lateness,
      Map<Integer, PriorityGroup> byPriority,
      Map<ErrorCode, Long> failures,
      Map<Stage, Long> stageNanos,
      Map<ErrorCode, String> examples) {

    public static Interval empty() {
      return new Interval(
          new Histogram(LONGEST_NANOS, DIGITS),
          new Histogram(LONGEST_NANOS, DIGITS),
          new TreeMap<>(),
          new EnumMap<>(ErrorCode.class),
          new EnumMap<>(Stage.class),
          new TreeMap<>());
    }

    public long answered() {
      return latencies.getTotalCount();
    }

    public long failed() {
      return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Latency in nanoseconds that so many percent of the answers stayed within. */
    public long nanosAt(double percentile) {
      return latencies.getValueAtPercentile(percentile);
    }

    /** Answers that took longer. */
    public long slowerThan(long nanos) {
      return latencies.getMaxValue() <= nanos
          ? 0
          : latencies.getCountBetweenValues(
              latencies.nextNonEquivalentValue(nanos), latencies.getMaxValue());
    }

    /** Mean nanoseconds that an answered request spent in a stage. */
    public double meanNanos(Stage stage) {
      return answered() == 0 ? 0 : (double) stageNanos.getOrDefault(stage, 0L) / answered();
    }

    /** A stage's part of the time that answered requests took, 0 to 1. */
    public double share(Stage stage) {
      long total = stageNanos.values().stream().mapToLong(Long::longValue).sum();
      return total == 0 ? 0 : (double) stageNanos.getOrDefault(stage, 0L) / total;
    }

    public void add(Interval other) {
      latencies.add(other.latencies);
      lateness.add(other.lateness);
      other.byPriority.forEach(
          (priority, group) -> PriorityRecord.add(byPriority, priority, group));
      other.failures.forEach((code, n) -> failures.merge(code, n, Long::sum));
      other.stageNanos.forEach((stage, n) -> stageNanos.merge(stage, n, Long::sum));
      other.examples.forEach(examples::putIfAbsent);
    }
  }
}
