package meridian.node.lifecycle;

import java.util.List;
import meridian.batching.LatencyTable;
import meridian.batching.Padding;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.Signature;
import meridian.node.warmup.WarmUp;

/** What is run of a version before its first request. */
final class Preparation {

  private final LoadOrder order;
  private final WarmUp warmUp;

  /**
   * @param graph to execute
   * @param limitNanos for the warm-up and for each kind of measurement
   */
  Preparation(
      LoadOrder order, LoadedModel model, Signature graph, Surroundings around, long limitNanos) {
    this.order = order;
    this.warmUp =
        new WarmUp(
            model, graph, order.settings().warmUp(), around.clock(), limitNanos, order.progress());
  }

  /**
   * @param table what executions take
   * @param rows of the executions that ran
   */
  record Prepared(LatencyTable table, List<Integer> rows, Padding padding) {}

  /**
   * @param mostRows of an execution
   * @param lengths that may be filled up; none when requests are not mixed
   * @param known from an earlier load; what it lacks is measured
   */
  Prepared run(int mostRows, PaddingRule lengths, ExecutionTimes known) throws ModelLoadException {
    List<Integer> rows = warmUp.run(mostRows);
    LatencyTable table = LatencyTable.of(known);
    if (known.entries().isEmpty()) {
      warmUp.measure(rows, table);
    }
    Padding padding = padding(lengths, mostRows, table);
    order.requireWanted();
    return new Prepared(table, rows, padding);
  }

  /** As {@link WarmUp#sampleNanos}. */
  long sampleNanos(int mostRows) throws ModelLoadException {
    return warmUp.sampleNanos(mostRows);
  }

  private Padding padding(PaddingRule lengths, int mostRows, LatencyTable table) {
    if (lengths.isEmpty()) {
      return Padding.NONE;
    }
    List<Integer> declared = order.settings().batching().padding().edges();
    return lengths.upTo(
        declared.isEmpty() ? warmUp.edges(lengths.values().keySet(), mostRows, table) : declared);
  }
}
