package meridian.node.lifecycle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import meridian.core.backend.ModelLoadException;

/**
 * Loads on a few threads of their own, however many models wait: loading takes cores from those
 * that answer requests.
 */
final class LoadPool {

  private final VersionLoader loader;
  private final Executor threads;

  LoadPool(VersionLoader loader, Executor threads) {
    this.loader = loader;
    this.threads = threads;
  }

  /**
   * Waits for a thread and for the load.
   *
   * @throws ModelLoadException with the reason
   */
  VersionLoader.Loaded load(LoadOrder order) throws ModelLoadException {
    CompletableFuture<VersionLoader.Loaded> loading = new CompletableFuture<>();
    threads.execute(() -> load(order, loading));
    try {
      return loading.join();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case ModelLoadException refused -> throw refused;
        case RuntimeException bug -> throw bug;
        case Error error -> throw error;
        case null, default -> throw e;
      }
    }
  }

  private void load(LoadOrder order, CompletableFuture<VersionLoader.Loaded> loading) {
    try {
      loading.complete(loader.load(order));
    } catch (Throwable e) {
      loading.completeExceptionally(e);
    }
  }
}
