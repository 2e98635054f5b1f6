package meridian.protocol.grpc;

import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferResponse;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.proto.ModelInferResponse;
import meridian.proto.ModelInferResponse.InferOutputTensor;
import meridian.protocol.Limits;

/** Responses as protobuf has them. */
final class ResponseProto {

  private ResponseProto() {}

  static ModelInferResponse encode(InferResponse response, GrpcFormat format) {
    ModelInferResponse.Builder out =
        ModelInferResponse.newBuilder()
            .setModelName(response.model())
            .setModelVersion(response.version())
            .setId(response.id());
    ParametersProto.encode(response.parameters(), out::putParameters);
    boolean raw = TensorProto.isRaw(response.outputs(), format);
    response.outputs().forEach(output -> add(out, output, raw));
    return out.build();
  }

  private static void add(ModelInferResponse.Builder out, NamedTensor named, boolean raw) {
    Tensor tensor = named.tensor();
    InferOutputTensor.Builder output =
        out.addOutputsBuilder().setName(named.name()).setDatatype(tensor.type().name());
    TensorProto.forEachDim(tensor, output::addShape);
    if (raw) {
      out.addRawOutputContents(TensorProto.bytes(tensor));
    } else {
      output.setContents(ContentsWriter.write(tensor));
    }
  }

  static InferResponse decode(ModelInferResponse message, Limits limits) throws ProblemException {
    List<TensorProto> tensors = new ArrayList<>(message.getOutputsCount());
    for (InferOutputTensor output : message.getOutputsList()) {
      tensors.add(
          new TensorProto(
              output.getName(),
              output.getDatatype(),
              output.getShapeList(),
              output.hasContents() ? output.getContents() : null));
    }
    return new InferResponse(
        message.getModelName(),
        message.getModelVersion(),
        message.getId(),
        ParametersProto.decode("parameters", message.getParametersMap()),
        TensorProto.decode(
            "outputs", "raw_output_contents", tensors, message.getRawOutputContentsList(), limits),
        LatencyBreakdown.ZERO);
  }
}
