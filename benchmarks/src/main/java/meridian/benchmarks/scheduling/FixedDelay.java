package meridian.benchmarks.scheduling;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * First come, first served; a lane waits until {@code size} requests are there or the first has
 * waited for {@code delayNanos}. Triton's dynamic batcher with one preferred size, with its queue
 * timeout and queue size; TorchServe's with its job queue.
 *
 * <p>A request that waited for {@code timeoutNanos} is refused, as is one that finds {@code most}
 * before it.
 */
final class FixedDelay implements Policy {

  private final int size;
  private final long delayNanos;
  private final long timeoutNanos;
  private final int most;
  private final Deque<Request> waiting = new ArrayDeque<>();

  FixedDelay(int size, long delayNanos, long timeoutNanos, int most) {
    this.size = size;
    this.delayNanos = delayNanos;
    this.timeoutNanos = timeoutNanos;
    this.most = most;
  }

  @Override
  public boolean arrive(Request request, boolean laneFree, long nowNanos) {
    dropLate(nowNanos);
    return waiting.size() < most && waiting.add(request);
  }

  @Override
  public List<Request> take(int lane, long nowNanos) {
    dropLate(nowNanos);
    List<Request> batch = new ArrayList<>();
    if (waiting.size() >= size || askAgainNanos() <= nowNanos) {
      while (batch.size() < size && !waiting.isEmpty()) {
        batch.add(waiting.removeFirst());
      }
    }
    return batch;
  }

  @Override
  public long askAgainNanos() {
    return waiting.isEmpty() ? Long.MAX_VALUE : waiting.getFirst().atNanos() + delayNanos;
  }

  private void dropLate(long nowNanos) {
    while (!waiting.isEmpty() && nowNanos - waiting.getFirst().atNanos() >= timeoutNanos) {
      waiting.removeFirst();
    }
  }
}
