package meridian.node.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import meridian.batching.ModelQueue;
import meridian.batching.WorkResult;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/**
 * Hands inputs to the queue of a version: in one piece, or, where these are more rows than one
 * execution may have, in several, whose outputs are joined again.
 */
final class Submission {

  private final Call call;
  private final List<NamedTensor> inputs;
  private final int rows;
  private final Set<String> outputs;

  /**
   * @param rows of the inputs
   * @param outputs the names wanted
   */
  Submission(Call call, List<NamedTensor> inputs, int rows, Set<String> outputs) {
    this.call = call;
    this.inputs = inputs;
    this.rows = rows;
    this.outputs = outputs;
  }

  CompletionStage<WorkResult> submit(Cancellation cancellation) {
    ModelQueue queue = call.version().queue();
    return rows <= queue.maxBatchRows()
        ? queue.submit(call.work(inputs, rows, outputs, cancellation))
        : submitInParts(queue, cancellation);
  }

  private CompletionStage<WorkResult> submitInParts(ModelQueue queue, Cancellation cancellation) {
    int most = queue.maxBatchRows();
    int count = Math.ceilDiv(rows, most);
    Executions parts = new Executions(count, cancellation, call.nanos());
    for (int i = 0; i < count; i++) {
      int index = i;
      int from = i * most;
      int partRows = Math.min(most, rows - from);
      queue
          .submit(call.work(slice(from, partRows), partRows, outputs, parts.cancellation()))
          .whenComplete((result, bug) -> parts.completed(index, result, bug, call.nanos()));
    }
    return parts.joined().thenApply(this::together);
  }

  private List<NamedTensor> slice(int from, int count) {
    List<NamedTensor> slice = new ArrayList<>(inputs.size());
    for (NamedTensor input : inputs) {
      slice.add(new NamedTensor(input.name(), Rows.slice(input.tensor(), from, count)));
    }
    return slice;
  }

  private WorkResult together(Joined joined) {
    Problem problem = joined.problem();
    return problem == null
        ? join(joined.outputs(), joined.latency())
        : new WorkResult.Refused(problem, joined.latency());
  }

  private WorkResult join(List<List<NamedTensor>> parts, LatencyBreakdown latency) {
    List<NamedTensor> whole = new ArrayList<>();
    for (int i = 0; i < parts.getFirst().size(); i++) {
      int output = i;
      List<Tensor> pieces = parts.stream().map(part -> part.get(output).tensor()).toList();
      String name = parts.getFirst().get(i).name();
      if (!alike(pieces)) {
        return new WorkResult.Refused(unlike(name, pieces), latency);
      }
      whole.add(new NamedTensor(name, Rows.concat(pieces, Rows.HEAP)));
    }
    return new WorkResult.Done(whole, latency, rows);
  }

  private static boolean alike(List<Tensor> pieces) {
    Shape first = pieces.getFirst().shape();
    return first.rank() > 0
        && pieces.stream()
            .allMatch(piece -> piece.shape().rank() > 0 && piece.shape().row().equals(first.row()));
  }

  private static Problem unlike(String name, List<Tensor> pieces) {
    return Problem.of(
        ErrorCode.INTERNAL,
        "outputs[\"%s\"].shape: %s from the model for parts of one request (expected: alike but for the rows)"
            .formatted(name, pieces.stream().map(Tensor::shape).toList()));
  }
}
