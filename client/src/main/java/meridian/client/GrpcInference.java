package meridian.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import meridian.core.error.Outcome;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.time.NanoClock;
import meridian.proto.GRPCInferenceServiceGrpc;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Headers;
import meridian.protocol.grpc.GrpcFormat;
import meridian.protocol.grpc.InferGrpcCodec;
import org.jspecify.annotations.Nullable;

/** Inference over unary gRPC with raw tensor contents. */
final class GrpcInference implements InferenceService {

  private static final Metadata.Key<String> SERVER_TIMING =
      Metadata.Key.of(Headers.SERVER_TIMING, Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<String> TENANT =
      Metadata.Key.of(Headers.TENANT, Metadata.ASCII_STRING_MARSHALLER);

  private final Channel channel;
  private final InferGrpcCodec codec;
  private final NanoClock clock;

  GrpcInference(Channel channel, InferGrpcCodec codec, NanoClock clock) {
    this.channel = channel;
    this.codec = codec;
    this.clock = clock;
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    long started = clock.nanos();
    ClientCall<ModelInferRequest, ModelInferResponse> call =
        channel.newCall(GRPCInferenceServiceGrpc.getModelInferMethod(), options(request, started));
    CompletableFuture<InferResult> result = new CompletableFuture<>();
    call.start(new Answer(result, started), metadata(request));
    call.sendMessage(codec.encodeRequest(request, GrpcFormat.RAW));
    call.halfClose();
    call.request(2);
    request.cancellation().onCancel(() -> call.cancel("nobody waits for the answer", null));
    return result;
  }

  private static Metadata metadata(InferRequest request) {
    Metadata metadata = new Metadata();
    if (!request.tenant().equals(InferRequest.NO_TENANT)) {
      metadata.put(TENANT, request.tenant());
    }
    return metadata;
  }

  private static CallOptions options(InferRequest request, long nowNanos) {
    return request.deadline().bounded()
        ? CallOptions.DEFAULT.withDeadlineAfter(
            request.deadline().remainingNanos(nowNanos), TimeUnit.NANOSECONDS)
        : CallOptions.DEFAULT;
  }

  private final class Answer extends ClientCall.Listener<ModelInferResponse> {

    private final CompletableFuture<InferResult> result;
    private final long started;
    private @Nullable ModelInferResponse message;

    Answer(CompletableFuture<InferResult> result, long started) {
      this.result = result;
      this.started = started;
    }

    @Override
    public void onMessage(ModelInferResponse received) {
      message = received;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      LatencyBreakdown latency =
          Timed.breakdown(trailers.get(SERVER_TIMING), clock.nanos() - started);
      result.complete(
          status.isOk() && message != null
              ? decoded(message, latency)
              : new InferFailure(Problems.ofStatus(status, trailers), latency));
    }

    private InferResult decoded(ModelInferResponse answer, LatencyBreakdown latency) {
      return switch (codec.decodeResponse(answer)) {
        case Outcome.Ok<InferResponse>(InferResponse response) -> response.withLatency(latency);
        case Outcome.Failed<InferResponse>(var problem) -> new InferFailure(problem, latency);
      };
    }
  }
}
