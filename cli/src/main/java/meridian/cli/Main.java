package meridian.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code meridian} program. Exit codes: 0 success, 1 failed, 2 wrong use. */
@Command(
    name = "meridian",
    description = "Serve ONNX models close to their users.",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    versionProvider = Version.class)
public final class Main implements Runnable {

  static final int FAILED = 1;
  static final int WRONG_USE = 2;

  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          ServeCommand.class,
          InferCommand.class,
          ModelsCommand.class,
          BenchCommand.class,
          LabCommand.class);

  public static void main(String[] args) {
    System.exit(commandLine(args).execute(args));
  }

  /** Reading the annotations of a command takes time, so only what the arguments need is read. */
  static CommandLine commandLine(String... args) {
    CommandLine line = new CommandLine(new Main());
    named(args).forEach(line::addSubcommand);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler(Main::wrongUse);
    line.setExecutionExceptionHandler(Main::failed);
    return line;
  }

  private static List<Class<?>> named(String... args) {
    List<Class<?>> named =
        COMMANDS.stream()
            .filter(command -> args.length > 0 && nameOf(command).equals(args[0]))
            .toList();
    return named.isEmpty() ? COMMANDS : named;
  }

  private static String nameOf(Class<?> command) {
    return command.getAnnotation(Command.class).name();
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
