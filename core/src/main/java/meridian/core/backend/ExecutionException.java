package meridian.core.backend;

import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import org.jspecify.annotations.Nullable;

/** A model that failed while executing. */
public final class ExecutionException extends Exception {

  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public ExecutionException(String message) {
    this(message, ErrorCode.INTERNAL, null);
  }

  public ExecutionException(String message, Throwable cause) {
    this(message, ErrorCode.INTERNAL, cause);
  }

  private ExecutionException(String message, ErrorCode code, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /**
   * The graph refuses values, though their types and shapes are right: an index outside a table, a
   * text that is no number. That is the fault of whoever sent them.
   */
  public static ExecutionException ofValues(String message, Throwable cause) {
    return new ExecutionException(message, ErrorCode.INVALID_ARGUMENT, cause);
  }

  /** What a client is told: {@code INVALID_ARGUMENT} for refused values, else {@code INTERNAL}. */
  public Problem problem() {
    String message = String.valueOf(getMessage());
    return code == ErrorCode.INVALID_ARGUMENT
        ? Problem.invalid("inputs: values that the model refuses: " + message)
        : Problem.of(code, message);
  }
}
