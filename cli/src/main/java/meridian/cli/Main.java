package meridian.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code meridian} program. Exit codes: 0 success, 1 failed, 2 wrong use. */
@Command(
    name = "meridian",
    description = "Serve ONNX models close to their users.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = Version.class,
    subcommands = {
      DemoCommand.class,
      ServeCommand.class,
      InferCommand.class,
      ModelsCommand.class,
      BenchCommand.class
    })
public final class Main implements Runnable {

  static final int FAILED = 1;
  static final int WRONG_USE = 2;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Main());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler(Main::wrongUse);
    line.setExecutionExceptionHandler(Main::failed);
    return line;
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  private static int wrongUse(CommandLine.ParameterException exception, String[] args) {
    CommandLine command = exception.getCommandLine();
    complain(command, exception);
    command
        .getErr()
        .println("Try '" + command.getCommandSpec().qualifiedName() + " --help' for more.");
    return WRONG_USE;
  }

  private static int failed(Exception exception, CommandLine command, CommandLine.ParseResult parse)
      throws Exception {
    if (exception instanceof CommandException) {
      complain(command, exception);
      return FAILED;
    }
    throw exception;
  }

  private static void complain(CommandLine command, Exception exception) {
    PrintWriter err = command.getErr();
    String message = String.valueOf(exception.getMessage()).replace('\n', ' ');
    err.println(command.getCommandSpec().qualifiedName() + ": " + message);
  }
}
