package meridian.cli;

import java.net.URI;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.error.Outcome;
import meridian.core.error.ProblemException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which server a client command talks to. */
final class ServerOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "The server (default: ${DEFAULT-VALUE}).")
  private URI server = URI.create("http://127.0.0.1:8080");

  URI server() {
    return server;
  }

  MeridianClient connect(Wire wire) {
    if (server.getHost() == null || !"http".equals(server.getScheme())) {
      throw new ParameterException(
          spec.commandLine(), "--server: " + server + " (expected: http://HOST:PORT)");
    }
    return MeridianClient.connect(server, wire);
  }

  /** Waits for the value; a failure becomes the command's one line. */
  static <T> T await(CompletionStage<Outcome<T>> stage) throws CommandException {
    try {
      return stage.toCompletableFuture().join().orElseThrow();
    } catch (ProblemException failed) {
      throw new CommandException(failed.problem().message());
    } catch (CompletionException unexpected) {
      throw new CommandException(String.valueOf(unexpected.getCause()));
    }
  }
}
