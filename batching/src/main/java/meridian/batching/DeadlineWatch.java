package meridian.batching;

import java.util.concurrent.locks.LockSupport;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The thread that answers those whose deadline passes while every lane is busy. It sleeps until the
 * earliest deadline that waits, and is woken only for an earlier one.
 */
final class DeadlineWatch implements Runnable {

  private final Dispatch dispatch;
  private volatile @Nullable Thread thread;
  private volatile boolean stopped;

  DeadlineWatch(Dispatch dispatch) {
    this.dispatch = dispatch;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    while (!stopped) {
      sleepUntil(dispatch.expire());
    }
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  void stop() {
    stopped = true;
    wake();
  }

  private void sleepUntil(Deadline deadline) {
    if (stopped) {
      return;
    }
    if (deadline.bounded()) {
      LockSupport.parkNanos(this, deadline.remainingNanos(dispatch.nanos()));
    } else {
      LockSupport.park(this);
    }
    boolean _ = Thread.interrupted();
  }
}
