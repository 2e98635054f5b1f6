package meridian.core.infer;

import java.util.ArrayList;
import java.util.List;

/** Tells those who work on a request that nobody waits for the answer any more. */
public final class Cancellation {

  private List<Runnable> listeners = new ArrayList<>(1);
  private volatile boolean cancelled;

  public boolean isCancelled() {
    return cancelled;
  }

  /** Runs each listener once, on this thread. */
  public void cancel() {
    List<Runnable> toRun;
    synchronized (this) {
      cancelled = true;
      toRun = listeners;
      listeners = List.of();
    }
    toRun.forEach(Runnable::run);
  }

  /** Has {@code listener} run on cancellation; at once when that has happened. */
  public void onCancel(Runnable listener) {
    synchronized (this) {
      if (!cancelled) {
        listeners.add(listener);
        return;
      }
    }
    listener.run();
  }
}
