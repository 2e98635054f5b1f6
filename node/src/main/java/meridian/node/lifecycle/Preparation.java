package meridian.node.lifecycle;

import java.util.List;
import meridian.batching.LatencyTable;
import meridian.batching.Padding;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.Signature;
import meridian.node.warmup.Conditions;
import meridian.node.warmup.ExecutionTimesFile;
import meridian.node.warmup.WarmUp;

/** What is run of a version before its first request, and what is kept of it for the next load. */
final class Preparation {

  private final LoadOrder order;
  private final WarmUp warmUp;
  private final ExecutionTimesFile file;

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
    String conditions =
        Conditions.of(
            order.version(),
            around.backend(),
            model.properties(),
            order.settings().execution(),
            around.lanes().count());
    this.file =
        new ExecutionTimesFile(order.model().folder(), order.version().number(), conditions);
  }

  /**
   * @param table what executions take
   * @param rows of the executions that ran
   */
  record Prepared(LatencyTable table, List<Integer> rows, Padding padding) {}

  /**
   * @param mostRows of an execution
   * @param lengths that may be filled up; none when requests are not mixed
   */
  Prepared run(int mostRows, PaddingRule lengths) throws ModelLoadException {
    List<Integer> rows = warmUp.run(mostRows);
    ExecutionTimes known = order.temporary() ? ExecutionTimes.NONE : file.read();
    LatencyTable table = LatencyTable.of(known);
    if (known.entries().isEmpty()) {
      warmUp.measure(rows, table);
    }
    Padding padding = padding(lengths, mostRows, table);
    order.requireWanted();
    ExecutionTimes measured = table.snapshot();
    if (measured.entries().size() > known.entries().size()) {
      keep(measured);
    }
    return new Prepared(table, rows, padding);
  }

  /** Files that go with the version have no next load. */
  void keep(ExecutionTimes times) {
    if (!order.temporary()) {
      file.write(times);
    }
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
