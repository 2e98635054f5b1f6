package meridian.core.backend;

import java.util.List;
import java.util.Map;
import java.util.Set;
import meridian.core.infer.Cancellation;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;

/**
 * A model that an engine holds ready. {@link #run} may be called by several threads at once; {@link
 * #close} only when no run is under way, once.
 */
public interface LoadedModel extends AutoCloseable {

  /** As the graph has it. */
  Signature signature();

  /** What else the engine can tell: opset, producer, providers in use. */
  Map<String, String> properties();

  /**
   * Whether the shapes of its inputs say how long a run takes, whatever their values. False when
   * that is not known.
   */
  default boolean steady() {
    return false;
  }

  /** As the other, to the end. */
  default List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs)
      throws ExecutionException {
    return run(inputs, outputs, new Cancellation());
  }

  /**
   * Executes on the calling thread.
   *
   * @param inputs that fit the signature; off-heap memory is used in place, other is copied
   * @param outputs the names wanted, all of the signature
   * @param stop asks for an early end, which comes as an exception, if the engine can
   * @return the outputs wanted, in signature order, in memory of their own
   * @throws ExecutionException when the model fails on these inputs
   */
  List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
      throws ExecutionException;

  @Override
  void close();
}
