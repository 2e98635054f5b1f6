package meridian.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import meridian.client.Bounds;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import picocli.CommandLine.Option;

/** Which server a client command talks to. */
final class ServerOptions {

  private static final int HTTP_PORT = 80;
  private static final int CONNECT_MILLIS = 2_000;

  @Option(
      names = "--server",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      converter = ServerConverter.class,
      description = "The server (default: ${DEFAULT-VALUE}).")
  private URI server = URI.create("http://127.0.0.1:8080");

  URI server() {
    return server;
  }

  MeridianClient connect(Wire wire) {
    return connect(wire, Bounds.DEFAULT);
  }

  MeridianClient connect(Wire wire, Bounds bounds) {
    return MeridianClient.connect(server, wire, bounds);
  }

  /** Waits for the value; a failure becomes the command's one line. */
  <T> T await(CompletionStage<Outcome<T>> stage) throws CommandException {
    try {
      return stage.toCompletableFuture().join().orElseThrow();
    } catch (ProblemException failed) {
      throw failure(failed.problem(), failed.problem().message());
    } catch (CompletionException unexpected) {
      throw new CommandException(String.valueOf(unexpected.getCause()));
    }
  }

  /** What to tell of a failure: {@code message}, or how to get a server where there is none. */
  CommandException failure(Problem problem, String message) {
    return problem.code() == ErrorCode.UNAVAILABLE && !isListening()
        ? new CommandException(
            "no server at %s (start one with \"meridian serve\", or name another with --server URL)"
                .formatted(server))
        : new CommandException(message);
  }

  private boolean isListening() {
    int port = server.getPort() < 0 ? HTTP_PORT : server.getPort();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(server.getHost(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
