package meridian.cli;

/** A command that failed for a reason its user can act on; shown as one line. */
final class CommandException extends Exception {

  private static final long serialVersionUID = 1L;

  CommandException(String message) {
    super(message, null);
  }
}
