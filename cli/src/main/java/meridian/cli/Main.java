package meridian.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code meridian} program. Exit codes: 0 success, 1 failed, 2 wrong use. */
@Command(
    name = "meridian",
    description = "Serve ONNX models close to their users.",
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

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this help.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

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
    complain(command, exception.getMessage());
    command
        .getErr()
        .println("Try '" + command.getCommandSpec().qualifiedName() + " --help' for more.");
    return WRONG_USE;
  }

  private static int failed(Exception exception, CommandLine command, CommandLine.ParseResult parse)
      throws Exception {
    if (exception instanceof CommandException) {
      complain(command, exception.getMessage());
      return FAILED;
    }
    throw exception;
  }

  private static void complain(CommandLine command, String message) {
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + message.replace('\n', ' '));
  }
}
