package meridian.batching;

import java.util.List;
import java.util.Set;
import meridian.core.backend.ExecutionException;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.NamedTensor;

/** Executes a batch; several lanes may call it at once. */
@FunctionalInterface
public interface BatchRunner {

  /**
   * Executes on the calling thread.
   *
   * @param inputs by name, in no particular order; the memory is the lane's and is written over
   *     after the call, so nothing of it may be kept or returned
   * @param outputs the names wanted
   * @param stop asks for an early end, when nobody waits for the outputs any more
   * @return the outputs wanted, in memory of their own
   * @throws ExecutionException when the model fails on these inputs
   */
  List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
      throws ExecutionException;
}
