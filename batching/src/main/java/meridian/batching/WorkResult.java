package meridian.batching;

import java.util.List;
import meridian.core.error.Problem;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;

/**
 * How {@link Work} ended. Of the latency only queue and model are set: queue from the submission to
 * the start of the run that gave the answer, model that run. Gathering and slicing are in neither.
 */
public sealed interface WorkResult {

  LatencyBreakdown latency();

  /**
   * @param outputs those wanted, in the order the runner gave them; views of memory that the whole
   *     batch shares
   * @param batchRows rows of the run that gave the answer, those of others included
   */
  record Done(List<NamedTensor> outputs, LatencyBreakdown latency, int batchRows)
      implements WorkResult {

    public Done {
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * @param problem {@code INTERNAL} when the model failed on these inputs; any other code means
   *     that it did not see them
   */
  record Refused(Problem problem, LatencyBreakdown latency) implements WorkResult {}
}
