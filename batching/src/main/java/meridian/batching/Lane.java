package meridian.batching;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that executes batches. It sleeps while there is nothing to do; a batch handed to it is
 * the permit to wake. Another thread may borrow an idle lane: it runs one batch in its place, while
 * the lane's own thread sleeps on.
 */
final class Lane implements Runnable {

  private final Dispatch dispatch;
  private final int number;
  private final Thread thread;
  private volatile @Nullable Thread borrower;
  private volatile @Nullable Batch handed;
  private volatile boolean stopped;

  /**
   * @param threads makes the lane's own thread; {@link #thread} is to be started
   */
  Lane(Dispatch dispatch, int number, ThreadFactory threads) {
    this.dispatch = dispatch;
    this.number = number;
    this.thread = Objects.requireNonNull(threads.newThread(this), "threads.newThread");
  }

  int number() {
    return number;
  }

  Thread thread() {
    return thread;
  }

  @Override
  public void run() {
    try (LaneMemory memory = new LaneMemory()) {
      Execution execution = new Execution(dispatch, memory, this::report);
      for (Batch batch = await(); batch != null; batch = dispatch.next(this)) {
        run(execution, batch);
      }
    }
  }

  private void run(Execution execution, Batch batch) {
    try {
      execution.run(batch);
    } catch (Throwable e) {
      report(e);
    }
  }

  /** Gives an idle lane its next batch; {@link #wake} has it begin. */
  void hand(Batch batch) {
    handed = batch;
  }

  /** Lends an idle lane to the calling thread, until it is given back. */
  void lend() {
    borrower = Thread.currentThread();
  }

  boolean isLentHere() {
    return Thread.currentThread().equals(borrower);
  }

  /** Runs a batch on the thread that has borrowed the lane. */
  void runHere(Batch batch) {
    try (LaneMemory memory = new LaneMemory()) {
      run(new Execution(dispatch, memory, this::report), batch);
    }
  }

  /**
   * Ends the loan, if there is one.
   *
   * @param next what the lane is to run next, or null when it is idle
   */
  void giveBack(@Nullable Batch next) {
    handed = next;
    borrower = null;
  }

  /** Wakes the lane's own thread after a loan, if there is something for it. */
  void takeUp() {
    if (handed != null || stopped) {
      wake();
    }
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
    while (borrower != null || (handed == null && !stopped)) {
      LockSupport.park(this);
      clearInterrupt();
    }
    Batch batch = handed;
    handed = null;
    return batch;
  }

  /** Tells the handler of the lane's thread what a runner or listener should not have thrown. */
  private void report(Throwable thrown) {
    thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
  }

  /** An interrupt would turn the sleep into a busy loop; lanes end by {@link Lanes#close} only. */
  private static void clearInterrupt() {
    boolean _ = Thread.interrupted();
  }
}
