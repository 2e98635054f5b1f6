package meridian.protocol.grpc;

import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.model.ModelName;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Limits;

/**
 * Inference over gRPC, between messages and core, on both sides of the wire. Raw tensors share
 * their memory with the message, either way. Instances are shared by all threads.
 */
public final class InferGrpcCodec {

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
      return Outcome.ok(RequestProto.decode(message, call, limits));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  /**
   * Writes a response. All of it goes raw where {@code format} is CONTENTS but an output is FP16 or
   * BF16, for which there is no typed field. The outputs' memory has to last until it is sent.
   */
  public ModelInferResponse encode(InferResponse response, GrpcFormat format) {
    return ResponseProto.encode(response, format);
  }

  /**
   * Writes a request, for a client; raw where {@code format} is CONTENTS but an input is FP16 or
   * BF16. The deadline is not written; it travels as gRPC's own.
   */
  public ModelInferRequest encodeRequest(InferRequest request, GrpcFormat format) {
    return RequestProto.encode(request, format);
  }

  /** Reads a response, for a client. One that breaks the protocol is INTERNAL. */
  public Outcome<InferResponse> decodeResponse(ModelInferResponse message) {
    try {
      return Outcome.ok(ResponseProto.decode(message, limits));
    } catch (ProblemException e) {
      return Outcome.failed(Problem.of(ErrorCode.INTERNAL, "response: " + e.getMessage()));
    }
  }
}
