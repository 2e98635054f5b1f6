package meridian.pipeline;

import java.util.List;
import java.util.Map;
import java.util.Set;
import meridian.core.error.Outcome;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;

/**
 * What stands between a model's users and its graph. {@link #prepare} may be called by several
 * threads at once, and while {@link #close} runs: what has begun ends well.
 */
public interface Pipeline extends AutoCloseable {

  /** What requests carry and answers hold, in place of the graph's own signature. */
  Signature signature();

  /** The graph's outputs that {@link Prepared#finish} reads; to compute others is a waste. */
  Set<String> graphOutputs();

  /**
   * By input of the graph, the number that fills up rows shorter than others of their execution;
   * empty when rows of unlike length must not share one.
   */
  Map<String, Long> padding();

  /**
   * Turns a request into graph inputs, on the calling thread: work in proportion to the data.
   *
   * @param inputs that fit {@link #signature()}
   * @param parameters those of the request
   * @return a failure when a value cannot be used; its message names the element
   */
  Outcome<Prepared> prepare(List<NamedTensor> inputs, Parameters parameters);

  /** The settings in effect, for the model's metadata. */
  Map<String, String> properties();

  @Override
  void close();
}
