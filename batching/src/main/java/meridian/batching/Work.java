package meridian.batching;

import java.util.List;
import java.util.Set;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.Deadline;

/**
 * One execution that a request asks for. The memory of the inputs stays alive until the answer is
 * there; nobody touches it after.
 *
 * @param inputs that fit the model's signature; each name once
 * @param rows the first dimension of every input where the queue mixes requests; elsewhere whatever
 *     the bounds of the queue shall count
 * @param outputs the names wanted, at least one
 * @param priority 1 is the highest; 0 leaves it to the queue's default
 * @param tenant on whose behalf; tenants share a queue fairly
 */
public record Work(
    List<NamedTensor> inputs,
    int rows,
    Set<String> outputs,
    Deadline deadline,
    int priority,
    Cancellation cancellation,
    String tenant) {

  public Work {
    inputs = List.copyOf(inputs);
    outputs = Set.copyOf(outputs);
    if (rows < 0) {
      throw new IllegalArgumentException("rows: " + rows + " (expected: 0 or more)");
    }
    if (outputs.isEmpty()) {
      throw new IllegalArgumentException("outputs: none (expected: the names wanted)");
    }
    if (priority < 0) {
      throw new IllegalArgumentException("priority: " + priority + " (expected: 0 or more)");
    }
  }

  /** Work on behalf of no tenant in particular. */
  public Work(
      List<NamedTensor> inputs,
      int rows,
      Set<String> outputs,
      Deadline deadline,
      int priority,
      Cancellation cancellation) {
    this(inputs, rows, outputs, deadline, priority, cancellation, InferRequest.NO_TENANT);
  }

  long bytes() {
    long bytes = 0;
    for (NamedTensor input : inputs) {
      bytes += input.tensor().data().byteSize();
    }
    return bytes;
  }
}
