package meridian.node.version;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts who uses something that will go away. Once {@link #end} was called nobody else gets in;
 * the last one out completes its stage.
 */
final class Leases {

  private static final int ENDED = Integer.MIN_VALUE / 2;

  /** Users, with {@link #ENDED} added once there shall be no more. */
  private final AtomicInteger state = new AtomicInteger();

  private final CompletableFuture<Void> free = new CompletableFuture<>();

  boolean acquire() {
    int now = state.get();
    while (now >= 0) {
      if (state.compareAndSet(now, now + 1)) {
        return true;
      }
      now = state.get();
    }
    return false;
  }

  void release() {
    int left = state.decrementAndGet();
    if (left == ENDED) {
      free.complete(null);
    } else if (left == -1 || left < ENDED) {
      throw new IllegalStateException("leases: released more often than acquired");
    }
  }

  /** Lets nobody in any more. The stage completes with the last release, at once if none is due. */
  CompletionStage<Void> end() {
    int before = state.getAndUpdate(now -> now < 0 ? now : now + ENDED);
    if (before == 0) {
      free.complete(null);
    }
    return free.copy();
  }

  int count() {
    int now = state.get();
    return now < 0 ? now - ENDED : now;
  }
}
