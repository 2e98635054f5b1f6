package meridian.batching;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that executes batches. It sleeps while there is nothing to do; a batch handed to it is
 * the permit to wake.
 */
final class Lane implements Runnable {

  private final Dispatch dispatch;
  private final int number;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Batch handed;
  private volatile boolean stopped;

  Lane(Dispatch dispatch, int number) {
    this.dispatch = dispatch;
    this.number = number;
  }

  int number() {
    return number;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    try (LaneMemory memory = new LaneMemory()) {
      Execution execution = new Execution(dispatch, memory);
      for (Batch batch = await(); batch != null; batch = dispatch.next(this)) {
        run(execution, batch);
      }
    }
  }

  private void run(Execution execution, Batch batch) {
    try {
      execution.run(batch);
    } catch (Throwable e) {
      Execution.report(e);
    }
  }

  /** Gives an idle lane its next batch; {@link #wake} has it begin. */
  void hand(Batch batch) {
    handed = batch;
  }

  void stop() {
    stopped = true;
    wake();
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  /** Sleeps until a batch is handed over, or the lane is stopped and none was. */
  @Nullable Batch await() {
    while (handed == null && !stopped) {
      LockSupport.park(this);
      clearInterrupt();
    }
    Batch batch = handed;
    handed = null;
    return batch;
  }

  /** An interrupt would turn the sleep into a busy loop; lanes end by {@link Lanes#close} only. */
  private static void clearInterrupt() {
    boolean _ = Thread.interrupted();
  }
}
