package meridian.onnx;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts the runs under way, since ONNX Runtime ends the process when one meets a close. */
final class Uses {

  private static final int CLOSED = Integer.MIN_VALUE;

  private final AtomicInteger running = new AtomicInteger();

  void enter() {
    if (running.getAndIncrement() < 0) {
      running.decrementAndGet();
      throw new IllegalStateException("model: closed (expected: loaded)");
    }
  }

  void exit() {
    running.decrementAndGet();
  }

  /** True for the one call that closes. */
  boolean close() {
    int found = running.compareAndExchange(0, CLOSED);
    if (found > 0) {
      throw new IllegalStateException("runs under way: " + found + " (expected: 0 to close)");
    }
    return found == 0;
  }
}
