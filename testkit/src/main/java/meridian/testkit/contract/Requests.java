package meridian.testkit.contract;

import java.util.List;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.Deadline;

/** Requests with what {@link InferRequest#of} leaves out. */
final class Requests {

  private Requests() {}

  static InferRequest withVersion(InferRequest request, String version) {
    return new InferRequest(
        request.model(),
        version,
        request.id(),
        request.parameters(),
        request.inputs(),
        request.outputs(),
        request.deadline(),
        request.priority(),
        request.cancellation(),
        InferRequest.NO_TENANT);
  }

  static InferRequest identified(
      String model, String id, List<NamedTensor> inputs, List<RequestedOutput> outputs) {
    return new InferRequest(
        model,
        null,
        id,
        Parameters.NONE,
        inputs,
        outputs,
        Deadline.NONE,
        0,
        new Cancellation(),
        InferRequest.NO_TENANT);
  }
}
