package meridian.protocol.grpc;

import java.util.ArrayList;
import java.util.List;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferRequest.InferInputTensor;
import meridian.proto.ModelInferRequest.InferRequestedOutputTensor;
import meridian.protocol.InferOptions;
import meridian.protocol.Limits;
import meridian.protocol.Names;

/** Requests as protobuf has them. */
final class RequestProto {

  private static final String CLASSIFICATION = "classification";

  private RequestProto() {}

  static GrpcInfer decode(ModelInferRequest message, GrpcCall call, Limits limits)
      throws ProblemException {
    InferOptions options =
        InferOptions.of(ParametersProto.decode("parameters", message.getParametersMap()));
    InferRequest request =
        new InferRequest(
            message.getModelName(),
            message.getModelVersion().isEmpty() ? null : message.getModelVersion(),
            message.getId(),
            options.rest(),
            inputs(message, limits),
            outputs(message),
            options.deadline(call.deadline(), call.nowNanos()),
            options.priority(),
            call.cancellation(),
            call.tenant());
    return new GrpcInfer(request, format(message));
  }

  private static GrpcFormat format(ModelInferRequest message) {
    return hasContents(message) ? GrpcFormat.CONTENTS : GrpcFormat.RAW;
  }

  private static boolean hasContents(ModelInferRequest message) {
    for (int i = 0; i < message.getInputsCount(); i++) {
      if (message.getInputs(i).hasContents()) {
        return true;
      }
    }
    return false;
  }

  private static List<NamedTensor> inputs(ModelInferRequest message, Limits limits)
      throws ProblemException {
    List<TensorProto> tensors = new ArrayList<>(message.getInputsCount());
    for (InferInputTensor input : message.getInputsList()) {
      tensors.add(
          new TensorProto(
              input.getName(),
              input.getDatatype(),
              input.getShapeList(),
              input.hasContents() ? input.getContents() : null));
    }
    return TensorProto.decode(
        "inputs", "raw_input_contents", tensors, message.getRawInputContentsList(), limits);
  }

  private static List<RequestedOutput> outputs(ModelInferRequest message) throws ProblemException {
    List<RequestedOutput> outputs = new ArrayList<>(message.getOutputsCount());
    for (int i = 0; i < message.getOutputsCount(); i++) {
      outputs.add(output("outputs[" + i + ']', message.getOutputs(i)));
    }
    return outputs;
  }

  private static RequestedOutput output(String path, InferRequestedOutputTensor output)
      throws ProblemException {
    String name = output.getName();
    if (!Names.isName(name)) {
      throw invalid(path + ".name", Quoted.of(name), "a name without NUL");
    }
    String own = path + ".parameters";
    Parameters parameters = ParametersProto.decode(own, output.getParametersMap());
    return switch (parameters.get(CLASSIFICATION)) {
      case null -> RequestedOutput.of(name);
      case Parameter.Int(long count) when count >= 0 && count <= Integer.MAX_VALUE ->
          new RequestedOutput(name, (int) count);
      case Parameter other ->
          throw invalid(
              own + '.' + CLASSIFICATION, other.quoted(), "a whole number from 0 to 2^31-1");
    };
  }

  private static ProblemException invalid(String field, Object actual, String expected) {
    return new ProblemException(Problem.invalid(field, actual, expected));
  }

  static ModelInferRequest encode(InferRequest request, GrpcFormat format) {
    ModelInferRequest.Builder out =
        ModelInferRequest.newBuilder()
            .setModelName(request.model())
            .setModelVersion(request.version() == null ? "" : request.version())
            .setId(request.id());
    ParametersProto.encode(request.parameters(), out::putParameters);
    if (request.priority() != 0) {
      out.putParameters(
          InferOptions.PRIORITY, ParametersProto.encode(new Parameter.Int(request.priority())));
    }
    boolean raw = TensorProto.isRaw(request.inputs(), format);
    request.inputs().forEach(input -> add(out, input, raw));
    request.outputs().forEach(output -> add(out, output));
    return out.build();
  }

  private static void add(ModelInferRequest.Builder out, NamedTensor named, boolean raw) {
    Tensor tensor = named.tensor();
    InferInputTensor.Builder input =
        out.addInputsBuilder().setName(named.name()).setDatatype(tensor.type().name());
    TensorProto.forEachDim(tensor, input::addShape);
    if (raw) {
      out.addRawInputContents(TensorProto.bytes(tensor));
    } else {
      input.setContents(ContentsWriter.write(tensor));
    }
  }

  private static void add(ModelInferRequest.Builder out, RequestedOutput output) {
    InferRequestedOutputTensor.Builder tensor = out.addOutputsBuilder().setName(output.name());
    if (output.classes() > 0) {
      tensor.putParameters(
          CLASSIFICATION, ParametersProto.encode(new Parameter.Int(output.classes())));
    }
  }
}
