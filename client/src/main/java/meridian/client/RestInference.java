package meridian.client;

import com.linecorp.armeria.client.RequestOptions;
import com.linecorp.armeria.client.RequestOptionsBuilder;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletionStage;
import meridian.core.error.Outcome;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.time.NanoClock;
import meridian.protocol.Headers;
import meridian.protocol.control.ControlJson;
import meridian.protocol.http.HttpInferBody;
import meridian.protocol.http.HttpInferReply;
import meridian.protocol.http.InferHttpCodec;
import org.jspecify.annotations.Nullable;

/** Inference over REST, with tensors in JSON or behind it. */
final class RestInference implements InferenceService {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final WebClient http;
  private final InferHttpCodec codec;
  private final ControlJson json;
  private final boolean binary;
  private final NanoClock clock;

  RestInference(
      WebClient http, InferHttpCodec codec, ControlJson json, boolean binary, NanoClock clock) {
    this.http = http;
    this.codec = codec;
    this.json = json;
    this.binary = binary;
    this.clock = clock;
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    long started = clock.nanos();
    HttpInferReply body = codec.encodeRequest(request, binary);
    HttpResponse response =
        http.execute(
            HttpRequest.of(headers(request, body, started), content(body)),
            options(request, started));
    request.cancellation().onCancel(response::abort);
    return response.aggregate().handle((answer, fault) -> result(answer, fault, started));
  }

  private InferResult result(
      AggregatedHttpResponse answer, @Nullable Throwable fault, long started) {
    long nanos = clock.nanos() - started;
    if (fault != null) {
      return new InferFailure(Problems.ofTransport(fault), Timed.breakdown(null, nanos));
    }
    LatencyBreakdown latency = Timed.breakdown(answer.headers().get(Headers.SERVER_TIMING), nanos);
    if (!answer.status().isSuccess()) {
      return new InferFailure(Problems.ofAnswer(answer, json), latency);
    }
    return switch (decode(answer)) {
      case Outcome.Ok<InferResponse>(InferResponse response) -> response.withLatency(latency);
      case Outcome.Failed<InferResponse>(var problem) -> new InferFailure(problem, latency);
    };
  }

  private Outcome<InferResponse> decode(AggregatedHttpResponse answer) {
    long jsonLength = answer.headers().getLong(Headers.JSON_LENGTH, -1);
    return codec.decodeResponse(
        new HttpInferBody(MemorySegment.ofArray(answer.content().array()), jsonLength));
  }

  private RequestHeaders headers(InferRequest request, HttpInferReply body, long nowNanos) {
    RequestHeadersBuilder headers =
        RequestHeaders.builder(HttpMethod.POST, Paths.infer(request.model(), request.version()))
            .contentType(body.isBinary() ? MediaType.OCTET_STREAM : MediaType.JSON);
    if (body.isBinary()) {
      headers.setInt(Headers.JSON_LENGTH, body.json().length);
    }
    if (request.deadline().bounded()) {
      headers.setLong(Headers.TIMEOUT_MILLIS, leftMillis(request, nowNanos));
    }
    if (!request.tenant().equals(InferRequest.NO_TENANT)) {
      headers.set(Headers.TENANT, request.tenant());
    }
    return headers.build();
  }

  private static RequestOptions options(InferRequest request, long nowNanos) {
    RequestOptionsBuilder options = RequestOptions.builder();
    if (request.deadline().bounded()) {
      options.responseTimeoutMillis(leftMillis(request, nowNanos));
    }
    return options.build();
  }

  private static long leftMillis(InferRequest request, long nowNanos) {
    return Math.max(1, request.deadline().remainingNanos(nowNanos) / NANOS_PER_MILLI);
  }

  private static HttpData content(HttpInferReply body) {
    if (!body.isBinary()) {
      return HttpData.wrap(body.json());
    }
    ByteBuf[] parts = new ByteBuf[body.blobs().size() + 1];
    parts[0] = Unpooled.wrappedBuffer(body.json());
    for (int i = 1; i < parts.length; i++) {
      parts[i] = Unpooled.wrappedBuffer(body.blobs().get(i - 1).asByteBuffer());
    }
    return HttpData.wrap(Unpooled.wrappedBuffer(parts));
  }
}
