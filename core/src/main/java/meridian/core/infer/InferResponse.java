package meridian.core.infer;

import java.util.List;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;

/**
 * The answer to an {@link InferRequest}.
 *
 * @param version the one that answered
 * @param outputs those asked for, in the order asked
 */
public record InferResponse(
    String model,
    String version,
    String id,
    Parameters parameters,
    List<NamedTensor> outputs,
    LatencyBreakdown latency)
    implements InferResult {

  public InferResponse {
    outputs = List.copyOf(outputs);
  }

  @Override
  public InferResponse withLatency(LatencyBreakdown other) {
    return new InferResponse(model, version, id, parameters, outputs, other);
  }
}
