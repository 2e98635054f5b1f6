package meridian.serving.grpc;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import meridian.core.error.Problem;
import meridian.protocol.Headers;

/** Problems as gRPC says them. */
public final class GrpcReplies {

  private static final String CONTENT_TYPE = "application/grpc";
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of(Headers.GRPC_PUSHBACK_MILLIS, Metadata.ASCII_STRING_MARSHALLER);

  private GrpcReplies() {}

  /** True for every flavour: gRPC, gRPC-Web, and each with a message format behind a plus. */
  public static boolean isGrpc(RequestHeaders headers) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    return type != null && type.startsWith(CONTENT_TYPE);
  }

  /** A whole answer that is nothing but a status, for where no call has begun. */
  public static HttpResponse problem(RequestHeaders request, Problem problem) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .endOfStream(true)
            .add(
                HttpHeaderNames.CONTENT_TYPE,
                request.get(HttpHeaderNames.CONTENT_TYPE, CONTENT_TYPE))
            .addInt("grpc-status", problem.code().grpcStatus())
            .add("grpc-message", percentEncoded(problem.message()));
    Duration retryAfter = problem.retryAfter();
    if (retryAfter != null) {
      headers.addLong(Headers.GRPC_PUSHBACK_MILLIS, retryAfter.toMillis());
    }
    return HttpResponse.of(headers.build());
  }

  static Status status(Problem problem) {
    return Status.fromCodeValue(problem.code().grpcStatus()).withDescription(problem.message());
  }

  /** With the time to wait, where trying again may help, as gRPC clients read it. */
  static StatusException exception(Problem problem) {
    Duration retryAfter = problem.retryAfter();
    if (retryAfter == null) {
      return status(problem).asException();
    }
    Metadata trailers = new Metadata();
    trailers.put(PUSHBACK, Long.toString(retryAfter.toMillis()));
    return status(problem).asException(trailers);
  }

  /** As the gRPC protocol wants messages: printable ASCII but for the percent sign as it is. */
  private static String percentEncoded(String message) {
    StringBuilder encoded = new StringBuilder(message.length());
    for (byte b : message.getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b <= '~' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append("%02X".formatted(b));
      }
    }
    return encoded.toString();
  }
}
