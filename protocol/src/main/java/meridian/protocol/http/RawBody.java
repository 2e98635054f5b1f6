package meridian.protocol.http;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.protocol.RawTensor;

/**
 * A body without JSON: the one tensor of a model with one input, whose single variable dimension,
 * if it has one, follows from the size. For BYTES the whole body is one element, without its
 * length.
 */
final class RawBody {

  private static final String BODY = "body";

  private RawBody() {}

  static HttpInfer read(MemorySegment body, Signature signature, Call call)
      throws ProblemException {
    if (signature.inputs().size() != 1) {
      throw invalid(
          "a raw tensor for a model with " + signature.inputs().size() + " inputs",
          "JSON, unless the model has one input");
    }
    TensorSpec spec = signature.inputs().getFirst();
    NamedTensor input = new NamedTensor(spec.name(), tensor(spec, body));
    InferRequest request =
        new InferRequest(
            call.model(),
            call.version(),
            "",
            Parameters.NONE,
            List.of(input),
            List.of(),
            call.deadline(),
            0,
            call.cancellation(),
            call.tenant());
    return new HttpInfer(request, ResponseFormat.BINARY);
  }

  private static Tensor tensor(TensorSpec spec, MemorySegment body) throws ProblemException {
    int variable = variableDimension(spec);
    long fixed =
        RawTensor.elementCount(BODY, variable < 0 ? spec.shape() : spec.shape().with(variable, 1));
    if (spec.type() == DataType.BYTES) {
      Shape shape = variable < 0 ? spec.shape() : spec.shape().with(variable, 1);
      if (fixed != 1) {
        throw invalid("a raw element for shape " + spec.shape(), "JSON, unless it is one element");
      }
      return Tensor.ofStrings(shape, List.of(body.toArray(ValueLayout.JAVA_BYTE)));
    }
    if (variable < 0) {
      return RawTensor.of(BODY, spec.type(), spec.shape(), body);
    }
    long rowBytes = Math.multiplyExact(fixed, spec.type().byteSize());
    if (rowBytes == 0 || body.byteSize() % rowBytes != 0) {
      throw invalid(
          body.byteSize() + " bytes",
          "a multiple of " + rowBytes + " for " + spec.type() + " of shape " + spec.shape());
    }
    return RawTensor.of(
        BODY, spec.type(), spec.shape().with(variable, body.byteSize() / rowBytes), body);
  }

  private static int variableDimension(TensorSpec spec) throws ProblemException {
    int found = -1;
    for (int i = 0; i < spec.shape().rank(); i++) {
      if (spec.shape().dim(i) == Shape.ANY) {
        if (found >= 0) {
          throw invalid(
              "a raw tensor for shape " + spec.shape(),
              "JSON, unless one dimension varies at most");
        }
        found = i;
      }
    }
    return found;
  }

  private static ProblemException invalid(String actual, String expected) {
    return new ProblemException(Problem.invalid(BODY, actual, expected));
  }
}
