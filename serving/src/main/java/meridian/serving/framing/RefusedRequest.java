package meridian.serving.framing;

/**
 * Why HTTP itself forbids to serve a request. It has no stack trace, for it tells of a client.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112">RFC 9112</a>
 */
public final class RefusedRequest extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * @param message {@code field: what came (expected: what was expected)}
   */
  RefusedRequest(int status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  public int status() {
    return status;
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}
