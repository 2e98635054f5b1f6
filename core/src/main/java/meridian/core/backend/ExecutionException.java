package meridian.core.backend;

/** A model that failed while executing. */
public final class ExecutionException extends Exception {

  private static final long serialVersionUID = 1L;

  public ExecutionException(String message) {
    super(message);
  }

  public ExecutionException(String message, Throwable cause) {
    super(message, cause);
  }
}
