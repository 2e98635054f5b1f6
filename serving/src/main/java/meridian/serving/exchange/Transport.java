package meridian.serving.exchange;

import java.util.function.Function;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;

/**
 * A protocol's side of an {@link Exchange}: how its request is read and its answer written.
 *
 * @param <R> an answer ready for the wire
 */
public interface Transport<R> {

  /** Reads the request; called once, on the event loop or a worker. */
  Outcome<Incoming<R>> decode(Terms terms);

  /** Writes the answer, on the event loop; of this and {@link #refuse} one is called, once. */
  void answer(R reply, Report report);

  /** Writes why there is no answer, on the event loop. */
  void refuse(Problem problem, Report report);

  /** Gives back the memory of the request, once nobody looks at it any more. */
  void release();

  /**
   * A request that has been read.
   *
   * @param encoder makes the answer; called on the event loop or a worker
   */
  record Incoming<R>(InferRequest request, Function<InferResponse, Outcome<R>> encoder) {}
}
