package meridian.cli;

import com.linecorp.armeria.common.util.Exceptions;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import meridian.core.backend.Backend;
import meridian.onnx.OnnxRuntimeBackend;
import picocli.CommandLine.ParameterException;

/** Starts a region server, and tells in one line what kept it from starting. */
final class Starting {

  private Starting() {}

  /** ONNX Runtime opens while the configuration is read: each takes a third of a second. */
  static RegionServer regionServer(ConfigOptions options) throws CommandException {
    CompletableFuture<Backend> backend = CompletableFuture.supplyAsync(OnnxRuntimeBackend::open);
    MeridianConfig config;
    try {
      config = options.load();
    } catch (ParameterException wrong) {
      CompletableFuture<Void> _ = backend.thenAccept(Backend::close);
      throw wrong;
    }
    return regionServer(config, opened(backend));
  }

  private static Backend opened(CompletableFuture<Backend> backend) throws CommandException {
    try {
      return backend.join();
    } catch (CompletionException failed) {
      throw new CommandException("ONNX Runtime: cannot be opened: " + Exceptions.peel(failed));
    }
  }

  private static RegionServer regionServer(MeridianConfig config, Backend backend)
      throws CommandException {
    try {
      return RegionServer.start(config, backend);
    } catch (IllegalArgumentException wrong) {
      throw new CommandException(String.valueOf(wrong.getMessage()));
    } catch (RuntimeException failed) {
      Throwable cause = Exceptions.peel(failed);
      for (Throwable at = cause; at != null; at = at.getCause()) {
        if (at instanceof IOException || at instanceof UnresolvedAddressException) {
          throw new CommandException(
              "cannot listen on %s or %s: %s (choose others with --listen and --admin)"
                  .formatted(
                      address(config.server().inference()),
                      address(config.server().administration()),
                      at.getMessage()));
        }
      }
      throw failed;
    }
  }

  private static String address(meridian.serving.ServerSettings.Listen listen) {
    return listen.host() + ":" + listen.port();
  }
}
