package meridian.client;

import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.limit.ConcurrencyLimitTimeoutException;
import com.linecorp.armeria.client.limit.TooManyPendingAcquisitionsException;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.protocol.Headers;
import meridian.protocol.control.ControlJson;
import org.jspecify.annotations.Nullable;

/** What went wrong, out of what the transport and the server say. */
final class Problems {

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of(Headers.GRPC_PUSHBACK_MILLIS, Metadata.ASCII_STRING_MARSHALLER);
  private static final Pattern DIGITS = Pattern.compile("\\d{1,12}");

  private Problems() {}

  static Problem ofAnswer(AggregatedHttpResponse answer, ControlJson json) {
    String message =
        answer.content().isEmpty()
            ? answer.status().toString()
            : json.decodeError(MemorySegment.ofArray(answer.content().array()));
    return new Problem(
        ErrorCode.ofHttpStatus(answer.status().code()), message, retryAfter(answer.headers()));
  }

  private static @Nullable Duration retryAfter(HttpHeaders headers) {
    Long seconds = headers.getLong(HttpHeaderNames.RETRY_AFTER);
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  /**
   * @param trailers null where none came
   */
  static Problem ofStatus(Status status, @Nullable Metadata trailers) {
    Throwable cause = status.getCause();
    if (cause instanceof UnprocessedRequestException unsent) {
      return ofUnsent(unsent);
    }
    String message = status.getDescription();
    return new Problem(
        ErrorCode.ofGrpcStatus(status.getCode().value()),
        message != null ? message : String.valueOf(cause),
        trailers == null ? null : pushback(trailers.get(PUSHBACK)));
  }

  /** A negative number, or none at all, asks not to try again. */
  private static @Nullable Duration pushback(@Nullable String millis) {
    return millis != null && DIGITS.matcher(millis).matches()
        ? Duration.ofMillis(Long.parseLong(millis))
        : null;
  }

  static Problem ofTransport(Throwable fault) {
    Throwable cause = fault instanceof CompletionException wrapped ? wrapped.getCause() : fault;
    return switch (cause) {
      case ResponseTimeoutException _ -> tooLate();
      case AbortedStreamException _ -> Problem.of(ErrorCode.CANCELLED, "cancelled");
      case CancelledSubscriptionException _ -> Problem.of(ErrorCode.CANCELLED, "cancelled");
      case UnprocessedRequestException unsent -> ofUnsent(unsent);
      case null, default -> Problem.of(ErrorCode.UNAVAILABLE, String.valueOf(cause));
    };
  }

  /** The exception around the real one hides such as {@code Connection refused: host:port}. */
  private static Problem ofUnsent(UnprocessedRequestException unsent) {
    return switch (unsent.getCause()) {
      case ResponseTimeoutException _ -> tooLate();
      case TooManyPendingAcquisitionsException _ ->
          Problem.of(ErrorCode.UNAVAILABLE, "waiting: too many requests (expected: fewer at once)");
      case ConcurrencyLimitTimeoutException _ ->
          Problem.of(ErrorCode.UNAVAILABLE, "waited too long for a place on the wire");
      case null -> Problem.of(ErrorCode.UNAVAILABLE, unsent.toString());
      case Throwable cause -> Problem.of(ErrorCode.UNAVAILABLE, reason(cause));
    };
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  private static Problem tooLate() {
    return Problem.of(ErrorCode.DEADLINE_EXCEEDED, "no answer before the deadline");
  }
}
