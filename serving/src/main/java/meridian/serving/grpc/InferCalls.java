package meridian.serving.grpc;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.core.infer.InferResponse;
import meridian.core.model.ModelVersion;
import meridian.core.time.Deadline;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Headers;
import meridian.protocol.grpc.GrpcCall;
import meridian.protocol.grpc.GrpcFormat;
import meridian.protocol.grpc.InferGrpcCodec;
import meridian.serving.exchange.Arrival;
import meridian.serving.exchange.Departure;
import meridian.serving.exchange.Exchanges;
import meridian.serving.exchange.Terms;
import meridian.serving.exchange.Timeouts;
import meridian.serving.exchange.Transport;
import meridian.serving.exchange.Transport.Incoming;
import meridian.serving.telemetry.Protocol;

/** What unary and streamed inference have in common. */
public record InferCalls(
    Exchanges exchanges,
    InferGrpcCodec codec,
    Timeouts timeouts,
    String region,
    int maxResponseBytes,
    int streamWindow) {

  void run(
      ServiceRequestContext context,
      Departure departure,
      Protocol protocol,
      ModelInferRequest request,
      Transport<ModelInferResponse> transport) {
    long arrived = exchanges.clock().nanos();
    long callStart = arrived - Arrival.elapsedNanos(context);
    long start = protocol == Protocol.GRPC ? callStart : arrived;
    exchanges.run(
        new Arrival(
            context,
            departure,
            protocol,
            request.getModelName(),
            request.getModelVersion().isEmpty() ? null : request.getModelVersion(),
            deadline(context, start, callStart),
            start,
            arrived,
            request.getSerializedSize()),
        transport);
  }

  private Outcome<Deadline> deadline(ServiceRequestContext context, long start, long callStart) {
    RequestHeaders headers = context.request().headers();
    return timeouts.deadline(
        start, headers.get(Headers.TIMEOUT_MILLIS), callStart, headers.get(Timeouts.GRPC_TIMEOUT));
  }

  Outcome<Incoming<ModelInferResponse>> decode(ModelInferRequest request, Terms terms) {
    String version = request.getModelVersion();
    if (!version.isEmpty() && ModelVersion.parse(version).isEmpty()) {
      return Outcome.failed(
          Problem.invalid("model_version", Quoted.of(version), ModelVersion.RULE));
    }
    GrpcCall call =
        new GrpcCall(terms.deadline(), terms.cancellation(), terms.startNanos(), terms.tenant());
    return codec
        .decode(request, call)
        .map(
            decoded ->
                new Incoming<>(decoded.request(), response -> encode(response, decoded.format())));
  }

  private Outcome<ModelInferResponse> encode(InferResponse response, GrpcFormat format) {
    ModelInferResponse message = codec.encode(response, format);
    int size = message.getSerializedSize();
    return size <= maxResponseBytes
        ? Outcome.ok(message)
        : Outcome.failed(
            Problem.of(
                ErrorCode.TOO_LARGE,
                "response: %d bytes (expected: at most %d)".formatted(size, maxResponseBytes)));
  }
}
