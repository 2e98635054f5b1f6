package meridian.serving.rest;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ProtocolViolationException;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestCancellationException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.time.Duration;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.protocol.control.ControlJson;
import meridian.serving.framing.RefusedRequest;
import meridian.serving.grpc.GrpcReplies;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers to what fails before a service sees it: broken HTTP, bodies over the limit, senders
 * too slow, each in the form of the protocol it came by.
 */
public final class ErrorResponses implements ServerErrorHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);

  /** How Armeria calls what its codec could not read. */
  private static final String UNREADABLE = "Decoder failure";

  private static final String METHODS = "GET, HEAD, POST";

  private final Duration readTimeout;
  private final Duration retryAfter;

  private final ControlJson json;
  private final Replies replies;

  public ErrorResponses(Duration readTimeout, Duration retryAfter, ControlJson json) {
    this.json = json;
    this.replies = new Replies(json);
    this.readTimeout = readTimeout;
    this.retryAfter = retryAfter;
  }

  @Override
  public @Nullable HttpResponse onServiceException(ServiceRequestContext context, Throwable error) {
    Throwable cause = cause(error);
    if (cause instanceof RequestCancellationException || Exceptions.isStreamCancelling(cause)) {
      return null;
    }
    Problem problem = problem(context, cause);
    RequestHeaders headers = context.request().headers();
    if (GrpcReplies.isGrpc(headers)) {
      return GrpcReplies.problem(headers, problem);
    }
    ResponseHeadersBuilder reply = replies.problemHeaders(problem);
    if (problem.code() == ErrorCode.REQUEST_TIMEOUT && !context.sessionProtocol().isMultiplex()) {
      reply.add(HttpHeaderNames.CONNECTION, "close");
    }
    return HttpResponse.of(reply.build(), replies.problemBody(problem));
  }

  private Problem problem(ServiceRequestContext context, Throwable cause) {
    return switch (cause) {
      case ContentTooLargeException large -> tooLarge(large);
      case RequestTimeoutException _ ->
          Problem.of(
              ErrorCode.REQUEST_TIMEOUT,
              "body: not all here after %s (expected: within that)".formatted(readTimeout));
      case ShuttingDownException _ -> shuttingDown();
      case ProtocolViolationException fault ->
          Problem.invalid("request: cannot be read (expected: HTTP): " + fault.getMessage());
      default -> {
        LOG.error("{} failed by a fault of the server", context, cause);
        yield Problem.of(ErrorCode.INTERNAL, "server: failed on this request; its log says why");
      }
    };
  }

  private Problem shuttingDown() {
    return Problem.retryLater(
        ErrorCode.UNAVAILABLE, "server: shutting down (expected: another one)", retryAfter);
  }

  private static Problem tooLarge(ContentTooLargeException cause) {
    long size = Math.max(cause.contentLength(), cause.transferred());
    return Problem.of(
        ErrorCode.TOO_LARGE,
        "body: %s%d bytes (expected: at most %d)"
            .formatted(
                cause.contentLength() < 0 ? "at least " : "", size, cause.maxContentLength()));
  }

  /** What an {@link HttpStatusException} was made of, or the error itself. */
  private static Throwable cause(Throwable error) {
    Throwable peeled = Exceptions.peel(error);
    return peeled instanceof HttpStatusException && peeled.getCause() != null
        ? peeled.getCause()
        : peeled;
  }

  @Override
  public AggregatedHttpResponse onProtocolViolation(
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return cause instanceof RefusedRequest refused
        ? render(headers, HttpStatus.valueOf(refused.status()), refused.reason())
        : render(headers, status, message(headers, status, description, cause));
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return render(headers, status, message(headers, status, description, cause));
  }

  private static String message(
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    if (status.equals(HttpStatus.EXPECTATION_FAILED) && headers != null) {
      return "Expect: %s (expected: 100-continue)"
          .formatted(Quoted.of(headers.get(HttpHeaderNames.EXPECT, "")));
    }
    if (status.equals(HttpStatus.METHOD_NOT_ALLOWED)) {
      return "method: not one of this server's (expected: " + METHODS + ")";
    }
    if (UNREADABLE.equals(description)) {
      String detail = cause == null ? "" : ": " + cause.getMessage();
      return "request: cannot be read (expected: all of it, as RFC 9112 frames it)" + detail;
    }
    return "request: " + (description == null ? status.reasonPhrase() : description);
  }

  /** Statuses of HTTP itself, such as 414 and 431, stay what they are. */
  private AggregatedHttpResponse render(
      @Nullable RequestHeaders headers, HttpStatus status, String message) {
    ResponseHeadersBuilder reply = ResponseHeaders.builder(status);
    if (status.equals(HttpStatus.METHOD_NOT_ALLOWED)) {
      reply.add(HttpHeaderNames.ALLOW, METHODS);
    }
    if (status.isContentAlwaysEmpty() || (headers != null && headers.method() == HttpMethod.HEAD)) {
      return AggregatedHttpResponse.of(reply.build());
    }
    return AggregatedHttpResponse.of(
        reply.contentType(MediaType.JSON).build(), HttpData.wrap(json.error(message)));
  }
}
