package meridian.serving.grpc;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.server.RequestCancellationException;
import com.linecorp.armeria.server.RequestTimeoutException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.channels.ClosedChannelException;

/**
 * The status of what fails outside our own code. That code turns its faults into problems, so what
 * comes here is a message that could not be read, too much of it, or a client that has gone.
 */
final class GrpcFaults implements GrpcExceptionHandlerFunction {

  private final int maxRequestBytes;

  GrpcFaults(int maxRequestBytes) {
    this.maxRequestBytes = maxRequestBytes;
  }

  @Override
  public Status apply(RequestContext context, Status status, Throwable cause, Metadata metadata) {
    return switch (cause) {
      case ContentTooLargeException large ->
          Status.RESOURCE_EXHAUSTED.withDescription(
              "message: %d bytes (expected: at most %d)"
                  .formatted(
                      Math.max(large.transferred(), large.contentLength()), maxRequestBytes));
      case ClosedSessionException _,
          ClosedStreamException _,
          ClosedChannelException _,
          RequestCancellationException _ ->
          Status.CANCELLED;
      case RequestTimeoutException _ -> Status.DEADLINE_EXCEEDED;
      default -> unreadable(status);
    };
  }

  private static Status unreadable(Status status) {
    return switch (status.getCode()) {
      case UNKNOWN, INTERNAL, UNAVAILABLE ->
          Status.INVALID_ARGUMENT.withDescription(
              "message: cannot be read (expected: one complete protobuf message)");
      default -> status;
    };
  }
}
