package meridian.node.engine;

import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.RequestedOutput;
import meridian.core.model.Signature;
import meridian.core.model.SignatureCheck;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.node.version.ServedVersion;
import org.jspecify.annotations.Nullable;

/** Whether a version can answer a request at all. */
final class RequestCheck {

  private RequestCheck() {}

  /** The first fault found, or null. */
  static @Nullable Problem check(ServedVersion version, InferRequest request) {
    Signature signature = version.facts().signature();
    Problem problem = SignatureCheck.check(signature, request.inputs(), request.outputs());
    if (problem == null) {
      problem = checkOutputs(signature, request.outputs());
    }
    if (problem == null) {
      problem = checkSize(version, request.inputs());
    }
    if (problem == null && request.priority() < 0) {
      problem =
          Problem.invalid("parameters.priority", request.priority(), "0 or more, 1 the highest");
    }
    return problem;
  }

  private static @Nullable Problem checkOutputs(
      Signature signature, List<RequestedOutput> outputs) {
    for (int i = 0; i < outputs.size(); i++) {
      RequestedOutput output = outputs.get(i);
      String field = "outputs[" + i + "].parameters.classification";
      if (output.classes() < 0) {
        return Problem.invalid(field, output.classes(), "1 or more");
      }
      DataType type = signature.output(output.name()).orElseThrow().type();
      if (output.classes() > 0 && (type == DataType.BYTES || type == DataType.BOOL)) {
        return Problem.invalid(
            field, type + " of \"" + output.name() + '"', "an output of numbers");
      }
    }
    return null;
  }

  private static @Nullable Problem checkSize(ServedVersion version, List<NamedTensor> inputs) {
    long rows = rows(version.facts().signature(), inputs);
    long mostRows = version.facts().maxRows();
    if (rows > mostRows) {
      return Problem.invalid("inputs", rows + " rows", "at most " + mostRows);
    }
    long bytes = bytes(inputs);
    long mostBytes = version.facts().maxRequestBytes();
    return bytes <= mostBytes
        ? null
        : Problem.of(
            ErrorCode.TOO_LARGE,
            "inputs: %d bytes (expected: at most %d)".formatted(bytes, mostBytes));
  }

  /** Rows of a request or an execution; one where the signature has none. */
  static long rows(Signature signature, List<NamedTensor> inputs) {
    return signature.batched() && !inputs.isEmpty() ? inputs.getFirst().tensor().shape().dim(0) : 1;
  }

  static long bytes(List<NamedTensor> tensors) {
    long bytes = 0;
    for (NamedTensor tensor : tensors) {
      bytes += tensor.tensor().data().byteSize();
    }
    return bytes;
  }
}
