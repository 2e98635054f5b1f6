package meridian.core.infer;

import meridian.core.error.Problem;
import meridian.core.latency.LatencyBreakdown;

/** Why an {@link InferRequest} has no answer. */
public record InferFailure(Problem problem, LatencyBreakdown latency) implements InferResult {

  public static InferFailure of(Problem problem) {
    return new InferFailure(problem, LatencyBreakdown.ZERO);
  }

  @Override
  public InferFailure withLatency(LatencyBreakdown other) {
    return new InferFailure(problem, other);
  }
}
