package meridian.node.version;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.model.ModelStatistics;
import meridian.core.model.ModelStatistics.Batches;
import meridian.core.model.ModelStatistics.Inferences;
import meridian.core.model.ModelStatistics.Tally;

/** What a version has done. Written by every request, so without a lock and without allocation. */
public final class VersionCounters {

  private final Sum success = new Sum();
  private final Sum fail = new Sum();
  private final Sum queue = new Sum();
  private final Sum computeInput = new Sum();
  private final Sum computeInfer = new Sum();
  private final Sum computeOutput = new Sum();
  private final LongAdder rows = new LongAdder();
  private final LongAdder executions = new LongAdder();

  /** By batch size; bounded by the most rows of a batch. */
  private final Map<Integer, Sum> batches = new ConcurrentSkipListMap<>();

  private volatile long lastInferenceMillis;

  /**
   * Counts a request that was answered.
   *
   * @param latency its queue and model time
   */
  public void succeeded(
      int requestRows,
      long totalNanos,
      LatencyBreakdown latency,
      long inputNanos,
      long outputNanos,
      long nowMillis) {
    success.add(totalNanos);
    queue.add(latency.queueNanos());
    computeInfer.add(latency.modelNanos());
    computeInput.add(inputNanos);
    computeOutput.add(outputNanos);
    rows.add(requestRows);
    lastInferenceMillis = nowMillis;
  }

  public void failed(long totalNanos) {
    fail.add(totalNanos);
  }

  public void executed(int batchRows, long modelNanos) {
    executions.increment();
    Sum batch = batches.get(batchRows);
    if (batch == null) {
      batch = batches.computeIfAbsent(batchRows, _ -> new Sum());
    }
    batch.add(modelNanos);
  }

  ModelStatistics snapshot(String model, String version) {
    return new ModelStatistics(
        model,
        version,
        lastInferenceMillis,
        rows.sum(),
        executions.sum(),
        new Inferences(
            success.tally(),
            fail.tally(),
            queue.tally(),
            computeInput.tally(),
            computeInfer.tally(),
            computeOutput.tally(),
            Tally.NONE,
            Tally.NONE),
        batchTallies());
  }

  private List<Batches> batchTallies() {
    return batches.entrySet().stream()
        .map(
            batch -> {
              Tally infer = batch.getValue().tally();
              Tally none = new Tally(infer.count(), 0);
              return new Batches(batch.getKey(), none, infer, none);
            })
        .toList();
  }

  private static final class Sum {
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void add(long more) {
      count.increment();
      nanos.add(more);
    }

    Tally tally() {
      return new Tally(count.sum(), nanos.sum());
    }
  }
}
