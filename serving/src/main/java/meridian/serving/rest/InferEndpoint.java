package meridian.serving.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.CompletableFuture;
import meridian.core.error.Outcome;
import meridian.core.time.Deadline;
import meridian.protocol.Headers;
import meridian.protocol.control.ControlJson;
import meridian.protocol.http.InferHttpCodec;
import meridian.serving.body.BodyDecoder;
import meridian.serving.exchange.Arrival;
import meridian.serving.exchange.Departure;
import meridian.serving.exchange.Exchanges;
import meridian.serving.exchange.Timeouts;
import meridian.serving.telemetry.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST …/infer}.
 *
 * @param json for problems
 * @param minCompressedBytes the smallest answer that is compressed for those who accept it
 */
public record InferEndpoint(
    Exchanges exchanges,
    InferHttpCodec codec,
    ControlJson json,
    BodyDecoder bodies,
    Timeouts timeouts,
    String region,
    int minCompressedBytes) {

  Replies replies() {
    return new Replies(json);
  }

  HttpResponse serve(ServiceRequestContext context, Target target, AggregatedHttpRequest request) {
    CompletableFuture<HttpResponse> reply = new CompletableFuture<>();
    exchanges.run(
        arrival(context, target, request), new RestTransport(this, target, request, reply));
    return HttpResponse.of(reply);
  }

  private Arrival arrival(
      ServiceRequestContext context, Target target, AggregatedHttpRequest request) {
    RequestHeaders headers = request.headers();
    long arrived = exchanges.clock().nanos();
    long start = arrived - Arrival.elapsedNanos(context);
    Outcome<Deadline> deadline =
        timeouts.deadline(start, headers.get(Headers.TIMEOUT_MILLIS), start, null);
    return new Arrival(
        context,
        Departure.ofCall(context),
        Protocol.REST,
        target.requireModel(),
        target.version(),
        deadline,
        start,
        arrived,
        bodyBytes(headers.get(HttpHeaderNames.CONTENT_ENCODING), request));
  }

  /** A compressed body may be any size, so it counts as too large for the event loop. */
  private static long bodyBytes(@Nullable String coding, AggregatedHttpRequest request) {
    return coding == null || BodyDecoder.isIdentity(coding)
        ? request.content().length()
        : Long.MAX_VALUE;
  }
}
