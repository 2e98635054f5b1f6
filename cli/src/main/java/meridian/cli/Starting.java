package meridian.cli;

import com.linecorp.armeria.common.util.Exceptions;
import java.io.UncheckedIOException;
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
    } catch (UncheckedIOException failed) {
      throw new CommandException(
          failed.getMessage() + " (choose another with --listen or --admin)");
    }
  }
}
