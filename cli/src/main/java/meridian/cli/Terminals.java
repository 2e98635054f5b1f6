package meridian.cli;

import java.io.Console;

/** Whether a person looks on. */
final class Terminals {

  private Terminals() {}

  @SuppressWarnings("SystemConsoleNull") // null is still possible; a console need be no terminal
  static boolean isInteractive() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
