package meridian.serving.exchange;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether the server takes requests, and how many are under way. It only moves forward. */
public final class Lifecycle {

  /** In the order of a stop. */
  public enum Phase {
    SERVING,
    /** Not ready any more, but whoever still comes is served. */
    LEAVING,
    /** New requests are refused; those under way go on. */
    REFUSING
  }

  private final AtomicInteger underWay = new AtomicInteger();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private final List<Runnable> leaveListeners = new CopyOnWriteArrayList<>();
  private volatile Phase phase = Phase.SERVING;

  public Phase phase() {
    return phase;
  }

  public int underWay() {
    return underWay.get();
  }

  /** Lets a request in, to be ended by {@link #exit}; false when the server refuses new ones. */
  public boolean enter() {
    underWay.incrementAndGet();
    if (phase == Phase.REFUSING) {
      exit();
      return false;
    }
    return true;
  }

  public void exit() {
    if (underWay.decrementAndGet() == 0 && phase == Phase.REFUSING) {
      drained.complete(null);
    }
  }

  public void onLeave(Runnable listener) {
    leaveListeners.add(listener);
  }

  public void leave() {
    phase = Phase.LEAVING;
    leaveListeners.forEach(Runnable::run);
  }

  /** Refuses what comes from now on; the stage completes once nothing is under way. */
  public CompletionStage<Void> refuse() {
    phase = Phase.REFUSING;
    if (underWay.get() == 0) {
      drained.complete(null);
    }
    return drained;
  }
}
