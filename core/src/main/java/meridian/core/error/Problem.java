package meridian.core.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An expected failure as a value.
 *
 * @param message names the offending field as a path, what came and what was expected: {@code
 *     inputs[1].data: 7 elements (expected: 8 for shape [2,4])}
 * @param retryAfter when trying again may help, for {@link ErrorCode#OVERLOADED} and {@link
 *     ErrorCode#UNAVAILABLE}
 */
public record Problem(ErrorCode code, String message, @Nullable Duration retryAfter) {

  /** So that, escaped, it has room among the trailers of a gRPC call, 8 KiB for many clients. */
  private static final int MOST_CHARACTERS = 800;

  public Problem {
    if (message.length() > MOST_CHARACTERS) {
      message = message.substring(0, MOST_CHARACTERS) + '…';
    }
  }

  public static Problem of(ErrorCode code, String message) {
    return new Problem(code, message, null);
  }

  public static Problem invalid(String message) {
    return of(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** {@code field: actual (expected: expected)}. */
  public static Problem invalid(String field, Object actual, String expected) {
    return invalid(field + ": " + actual + " (expected: " + expected + ")");
  }

  public static Problem retryLater(ErrorCode code, String message, Duration retryAfter) {
    return new Problem(code, message, retryAfter);
  }
}
