package meridian.core.error;

import java.util.Locale;

/**
 * Every expected failure, with its HTTP status and gRPC status code. {@link #label()} is the value
 * of the metric label {@code code}.
 */
public enum ErrorCode {
  INVALID_ARGUMENT(400, 3),
  UNAUTHENTICATED(401, 16),
  NOT_ALLOWED(403, 7),
  NOT_FOUND(404, 5),
  METHOD_NOT_ALLOWED(405, 12),
  /** The body did not arrive in the time a client has to send it. */
  REQUEST_TIMEOUT(408, 4),
  CONFLICT(409, 10),
  TOO_LARGE(413, 8),
  UNSUPPORTED_ENCODING(415, 12),
  WRONG_GENERATION(421, 9),
  /** The request was understood, but its answer cannot be given in the form asked for. */
  NOT_REPRESENTABLE(422, 9),
  /** Shed because of load: quota, full queue, or a deadline that load makes impossible. */
  OVERLOADED(429, 8),
  RESIDENCY(451, 7),
  CANCELLED(499, 1),
  /** The model failed while executing, or the server has a bug. */
  INTERNAL(500, 13),
  UNAVAILABLE(503, 14),
  DEADLINE_EXCEEDED(504, 4);

  private final int httpStatus;
  private final int grpcStatus;
  private final String label = name().toLowerCase(Locale.ROOT);

  ErrorCode(int httpStatus, int grpcStatus) {
    this.httpStatus = httpStatus;
    this.grpcStatus = grpcStatus;
  }

  public int httpStatus() {
    return httpStatus;
  }

  /** The number of io.grpc.Status.Code. */
  public int grpcStatus() {
    return grpcStatus;
  }

  public String label() {
    return label;
  }

  /** The code that a server means by a status; one that is not in the table by its hundred. */
  public static ErrorCode ofHttpStatus(int status) {
    for (ErrorCode code : values()) {
      if (code.httpStatus == status) {
        return code;
      }
    }
    return status >= 400 && status < 500 ? INVALID_ARGUMENT : INTERNAL;
  }

  /** The code that a server most likely means by a gRPC status, where several share it. */
  public static ErrorCode ofGrpcStatus(int status) {
    return switch (status) {
      case 1 -> CANCELLED;
      case 3 -> INVALID_ARGUMENT;
      case 4 -> DEADLINE_EXCEEDED;
      case 5 -> NOT_FOUND;
      case 7 -> NOT_ALLOWED;
      case 8 -> OVERLOADED;
      case 9 -> NOT_REPRESENTABLE;
      case 10 -> CONFLICT;
      case 12 -> UNSUPPORTED_ENCODING;
      case 14 -> UNAVAILABLE;
      case 16 -> UNAUTHENTICATED;
      default -> INTERNAL;
    };
  }
}
