package meridian.client;

import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.stream.CancelledSubscriptionException;
import io.grpc.Status;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.protocol.control.ControlJson;
import org.jspecify.annotations.Nullable;

/** What went wrong, out of what the transport and the server say. */
final class Problems {

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

  static Problem ofStatus(Status status) {
    String message = status.getDescription();
    return Problem.of(
        ErrorCode.ofGrpcStatus(status.getCode().value()),
        message != null ? message : String.valueOf(status.getCause()));
  }

  static Problem ofTransport(Throwable fault) {
    Throwable cause = fault instanceof CompletionException wrapped ? wrapped.getCause() : fault;
    return switch (cause) {
      case ResponseTimeoutException _ ->
          Problem.of(ErrorCode.DEADLINE_EXCEEDED, "no answer before the deadline");
      case AbortedStreamException _ -> Problem.of(ErrorCode.CANCELLED, "cancelled");
      case CancelledSubscriptionException _ -> Problem.of(ErrorCode.CANCELLED, "cancelled");
      case null, default -> Problem.of(ErrorCode.UNAVAILABLE, reason(cause));
    };
  }

  /** What an exception around the real one hides, such as {@code Connection refused: host:port}. */
  private static String reason(@Nullable Throwable fault) {
    if (fault instanceof UnprocessedRequestException && fault.getCause() != null) {
      return String.valueOf(fault.getCause().getMessage());
    }
    return String.valueOf(fault);
  }
}
