package meridian.protocol.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.Deadline;
import meridian.protocol.Limits;

/** Short ways to send text through the codec. */
final class Requests {

  static final long NOW = 1_000_000;

  private Requests() {}

  static InferHttpCodec codec(TensorSpec... inputs) {
    return new InferHttpCodec(
        Limits.DEFAULT, new OneModel(new Signature(List.of(inputs), List.of(), false)));
  }

  static Call call() {
    return new Call("m", null, Deadline.NONE, new Cancellation(), NOW, InferRequest.NO_TENANT);
  }

  static Outcome<HttpInfer> decode(String json) {
    return codec().decode(HttpInferBody.json(json.getBytes(StandardCharsets.UTF_8)), call());
  }

  static HttpInfer decoded(String json) {
    return value(decode(json));
  }

  /** The one tensor of a request with that type, shape and data. */
  static Tensor tensor(String type, String shape, String data) {
    return decoded(request(type, shape, data)).request().inputs().getFirst().tensor();
  }

  static String request(String type, String shape, String data) {
    return "{\"inputs\":[{\"name\":\"x\",\"shape\":%s,\"datatype\":\"%s\",\"data\":%s}]}"
        .formatted(shape, type, data);
  }

  static <T> T value(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Ok<T>(T value) -> value;
      case Outcome.Failed<T>(Problem problem) -> throw new AssertionError(problem);
    };
  }

  static Problem problem(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed<?>) outcome).problem();
  }

  /** The message of a refusal with 400. */
  static String refusal(String json) {
    Problem problem = problem(decode(json));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    return problem.message();
  }

  static HttpInferBody body(HttpInferReply reply) {
    byte[] all = new byte[Math.toIntExact(reply.byteSize())];
    MemorySegment whole = MemorySegment.ofArray(all);
    MemorySegment.copy(MemorySegment.ofArray(reply.json()), 0, whole, 0, reply.json().length);
    long at = reply.json().length;
    for (MemorySegment blob : reply.blobs()) {
      MemorySegment.copy(blob, 0, whole, at, blob.byteSize());
      at += blob.byteSize();
    }
    return new HttpInferBody(whole, reply.isBinary() ? reply.json().length : -1);
  }

  static InferResponse response(NamedTensor... outputs) {
    return new InferResponse(
        "m", "3", "", Parameters.NONE, List.of(outputs), LatencyBreakdown.ZERO);
  }

  static String json(HttpInferReply reply) {
    return new String(reply.json(), StandardCharsets.UTF_8);
  }
}
