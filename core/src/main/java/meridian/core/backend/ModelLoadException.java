package meridian.core.backend;

/** A model that cannot be served. The message is for the one who put it there. */
public final class ModelLoadException extends Exception {

  private static final long serialVersionUID = 1L;

  public ModelLoadException(String message) {
    super(message);
  }

  public ModelLoadException(String message, Throwable cause) {
    super(message, cause);
  }
}
