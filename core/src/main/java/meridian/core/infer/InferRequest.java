package meridian.core.infer;

import java.util.List;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * One request for inference. The caller keeps the memory of the inputs alive until the stage that
 * {@link InferenceService#infer} returned has completed; nobody touches it after.
 *
 * @param version null for the one that serves by default
 * @param id the caller's own, echoed; empty when there is none
 * @param outputs what is wanted; empty means all, in signature order
 * @param priority 1 is the highest; 0 leaves it to the model's default
 * @param tenant on whose behalf; tenants share what they wait for fairly. Empty when there is none
 */
public record InferRequest(
    String model,
    @Nullable String version,
    String id,
    Parameters parameters,
    List<NamedTensor> inputs,
    List<RequestedOutput> outputs,
    Deadline deadline,
    int priority,
    Cancellation cancellation,
    String tenant) {

  public static final String NO_TENANT = "";

  public InferRequest {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /**
   * A request with neither deadline nor parameters nor tenant, for all outputs of the default
   * version.
   */
  public static InferRequest of(String model, List<NamedTensor> inputs) {
    return new InferRequest(
        model,
        null,
        "",
        Parameters.NONE,
        inputs,
        List.of(),
        Deadline.NONE,
        0,
        new Cancellation(),
        NO_TENANT);
  }

  public InferRequest withParameters(Parameters others) {
    return new InferRequest(
        model, version, id, others, inputs, outputs, deadline, priority, cancellation, tenant);
  }

  public InferRequest withInputs(List<NamedTensor> others) {
    return new InferRequest(
        model, version, id, parameters, others, outputs, deadline, priority, cancellation, tenant);
  }

  public InferRequest withOutputs(List<RequestedOutput> others) {
    return new InferRequest(
        model, version, id, parameters, inputs, others, deadline, priority, cancellation, tenant);
  }

  public InferRequest withDeadline(Deadline other) {
    return new InferRequest(
        model, version, id, parameters, inputs, outputs, other, priority, cancellation, tenant);
  }

  public InferRequest withTenant(String other) {
    return new InferRequest(
        model, version, id, parameters, inputs, outputs, deadline, priority, cancellation, other);
  }
}
