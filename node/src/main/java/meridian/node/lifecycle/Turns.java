package meridian.node.lifecycle;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Runs work on models: that on one model in the order in which it came, that on different models
 * side by side. So what belongs to one model needs no locks, and work that takes long holds up its
 * own model only.
 */
final class Turns {

  private final Executor threads;

  /** The last turn of every model that has one under way or waiting. */
  private final Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();

  /**
   * @param threads runs what it is given without queueing it, so that turns may block
   */
  Turns(Executor threads) {
    this.threads = threads;
  }

  /** The stage completes with what {@code work} gives or throws. */
  <T> CompletableFuture<T> take(String model, Supplier<T> work) {
    CompletableFuture<T> turn = new CompletableFuture<>();
    CompletableFuture<?> before = last.put(model, turn);
    Runnable task = () -> run(model, turn, work);
    if (before == null) {
      threads.execute(task);
    } else {
      CompletableFuture<?> _ = before.whenComplete((_, _) -> threads.execute(task));
    }
    return turn.copy();
  }

  /** True when no turn of the model is under way or waiting. */
  boolean isFree(String model) {
    return !last.containsKey(model);
  }

  /** Completes when every turn taken so far is over. */
  CompletableFuture<Void> settled() {
    return CompletableFuture.allOf(last.values().toArray(CompletableFuture<?>[]::new))
        .exceptionally(_ -> null);
  }

  private <T> void run(String model, CompletableFuture<T> turn, Supplier<T> work) {
    try {
      T value = work.get();
      last.remove(model, turn);
      turn.complete(value);
    } catch (Throwable e) {
      last.remove(model, turn);
      turn.completeExceptionally(e);
    }
  }
}
