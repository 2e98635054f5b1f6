package meridian.pipeline;

import java.util.List;
import meridian.core.infer.Parameters;
import meridian.core.tensor.NamedTensor;

/** A request on its way through a {@link Pipeline}. */
public interface Prepared {

  /**
   * The inputs of each execution of the graph that the answer needs: one for the whole request, one
   * per row where the graph lets rows influence each other, none when there is nothing to compute.
   */
  List<List<NamedTensor>> executions();

  /** What the user should know about the treatment of the request: response parameters. */
  Parameters notes();

  /**
   * The answer, in memory of its own.
   *
   * @param outputsPerExecution in the order of {@link #executions()}, each holding at least {@link
   *     Pipeline#graphOutputs()}
   */
  List<NamedTensor> finish(List<List<NamedTensor>> outputsPerExecution);
}
