package meridian.protocol.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.model.ModelName;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferRequest.InferInputTensor;
import meridian.proto.ModelInferRequest.InferRequestedOutputTensor;
import meridian.proto.ModelInferResponse;
import meridian.proto.ModelInferResponse.InferOutputTensor;
import meridian.protocol.InferOptions;
import meridian.protocol.Limits;
import meridian.protocol.Names;
import meridian.protocol.Quoted;

/**
 * Inference over gRPC, between messages and core, on both sides of the wire. Raw tensors share
 * their memory with the message, either way. Instances are shared by all threads.
 */
public final class InferGrpcCodec {

  private static final String CLASSIFICATION = "classification";

  private final Limits limits;

  public InferGrpcCodec(Limits limits) {
    this.limits = limits;
  }

  /** Reads a request. Every fault of the client is INVALID_ARGUMENT. */
  public Outcome<GrpcInfer> decode(ModelInferRequest message, GrpcCall call) {
    Problem name = ModelName.check("model_name", message.getModelName());
    if (name != null) {
      return Outcome.failed(name);
    }
    try {
      return Outcome.ok(new GrpcInfer(request(message, call), format(message)));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  private InferRequest request(ModelInferRequest message, GrpcCall call) throws ProblemException {
    InferOptions options =
        InferOptions.of(ParametersProto.decode("parameters", message.getParametersMap()));
    return new InferRequest(
        message.getModelName(),
        message.getModelVersion().isEmpty() ? null : message.getModelVersion(),
        message.getId(),
        options.rest(),
        inputs(message),
        outputs(message),
        options.deadline(call.deadline(), call.nowNanos()),
        options.priority(),
        call.cancellation());
  }

  private static GrpcFormat format(ModelInferRequest message) {
    boolean raw = message.getInputsCount() == 0 || message.getRawInputContentsCount() > 0;
    return raw ? GrpcFormat.RAW : GrpcFormat.CONTENTS;
  }

  private List<NamedTensor> inputs(ModelInferRequest message) throws ProblemException {
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
              own + '.' + CLASSIFICATION, Quoted.of(other), "a whole number from 0 to 2^31-1");
    };
  }

  /**
   * Writes a response. All of it goes raw where {@code format} is CONTENTS but an output is FP16 or
   * BF16, for which there is no typed field. The outputs' memory has to last until it is sent.
   */
  public ModelInferResponse encode(InferResponse response, GrpcFormat format) {
    ModelInferResponse.Builder out =
        ModelInferResponse.newBuilder()
            .setModelName(response.model())
            .setModelVersion(response.version())
            .setId(response.id());
    ParametersProto.encode(response.parameters(), out::putParameters);
    boolean raw =
        format == GrpcFormat.RAW || !response.outputs().stream().allMatch(InferGrpcCodec::hasField);
    for (NamedTensor output : response.outputs()) {
      InferOutputTensor.Builder tensor = out.addOutputsBuilder();
      tensor.setName(output.name()).setDatatype(output.tensor().type().name());
      for (int i = 0; i < output.tensor().shape().rank(); i++) {
        tensor.addShape(output.tensor().shape().dim(i));
      }
      if (raw) {
        out.addRawOutputContents(bytes(output.tensor()));
      } else {
        tensor.setContents(ContentsWriter.write(output.tensor()));
      }
    }
    return out.build();
  }

  /** Writes a request, raw, for a client. The deadline is not written; it travels as gRPC's own. */
  public ModelInferRequest encodeRequest(InferRequest request) {
    return encodeRequest(request, GrpcFormat.RAW);
  }

  /**
   * As {@link #encodeRequest(InferRequest)}, in the form given where the inputs' types allow it.
   */
  public ModelInferRequest encodeRequest(InferRequest request, GrpcFormat format) {
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
    boolean raw =
        format == GrpcFormat.RAW || !request.inputs().stream().allMatch(InferGrpcCodec::hasField);
    for (NamedTensor input : request.inputs()) {
      InferInputTensor.Builder tensor = out.addInputsBuilder();
      tensor.setName(input.name()).setDatatype(input.tensor().type().name());
      for (int i = 0; i < input.tensor().shape().rank(); i++) {
        tensor.addShape(input.tensor().shape().dim(i));
      }
      if (raw) {
        out.addRawInputContents(bytes(input.tensor()));
      } else {
        tensor.setContents(ContentsWriter.write(input.tensor()));
      }
    }
    request.outputs().forEach(output -> addOutput(out, output));
    return out.build();
  }

  private static void addOutput(ModelInferRequest.Builder out, RequestedOutput output) {
    InferRequestedOutputTensor.Builder tensor = out.addOutputsBuilder().setName(output.name());
    if (output.classes() > 0) {
      tensor.putParameters(
          CLASSIFICATION, ParametersProto.encode(new Parameter.Int(output.classes())));
    }
  }

  /** Reads a response, for a client. One that breaks the protocol is INTERNAL. */
  public Outcome<InferResponse> decodeResponse(ModelInferResponse message) {
    List<TensorProto> tensors = new ArrayList<>(message.getOutputsCount());
    for (InferOutputTensor output : message.getOutputsList()) {
      tensors.add(
          new TensorProto(
              output.getName(),
              output.getDatatype(),
              output.getShapeList(),
              output.hasContents() ? output.getContents() : null));
    }
    try {
      List<NamedTensor> outputs =
          TensorProto.decode(
              "outputs",
              "raw_output_contents",
              tensors,
              message.getRawOutputContentsList(),
              limits);
      Parameters parameters = ParametersProto.decode("parameters", message.getParametersMap());
      return Outcome.ok(
          new InferResponse(
              message.getModelName(),
              message.getModelVersion(),
              message.getId(),
              parameters,
              outputs,
              LatencyBreakdown.ZERO));
    } catch (ProblemException e) {
      return Outcome.failed(Problem.of(ErrorCode.INTERNAL, "response: " + e.getMessage()));
    }
  }

  private static boolean hasField(NamedTensor named) {
    return TensorProto.hasField(named.tensor());
  }

  private static ByteString bytes(Tensor tensor) {
    return UnsafeByteOperations.unsafeWrap(tensor.data().asByteBuffer());
  }

  private static ProblemException invalid(String field, Object actual, String expected) {
    return new ProblemException(Problem.invalid(field, actual, expected));
  }
}
