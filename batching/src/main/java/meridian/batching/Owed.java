package meridian.batching;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the answers that a queue owes; settled once it is closed and owes none. */
final class Owed {

  /** One for the queue itself while it is open. */
  private final AtomicLong count = new AtomicLong(1);

  private final AtomicBoolean closed = new AtomicBoolean();
  private final CompletableFuture<Void> settled = new CompletableFuture<>();

  void incur() {
    count.incrementAndGet();
  }

  void paid() {
    if (count.decrementAndGet() == 0) {
      settled.complete(null);
    }
  }

  CompletionStage<Void> close() {
    if (closed.compareAndSet(false, true)) {
      paid();
    }
    return settled.minimalCompletionStage();
  }
}
