package meridian.batching;

import org.jspecify.annotations.Nullable;

/** What the lanes run now, and until when. */
final class Runs {

  private final @Nullable WorkQueue[] queues;
  private final long[] startNanos;
  private final long[] predictedNanos;

  Runs(int lanes) {
    queues = new @Nullable WorkQueue[lanes];
    startNanos = new long[lanes];
    predictedNanos = new long[lanes];
  }

  int lanes() {
    return queues.length;
  }

  void begin(int lane, WorkQueue queue, long nanos, long nowNanos) {
    queues[lane] = queue;
    startNanos[lane] = nowNanos;
    predictedNanos[lane] = nanos;
    queue.served(nanos);
  }

  /** Charges the queue with what its run really took; null when the lane ran nothing. */
  @Nullable WorkQueue end(int lane, long nowNanos) {
    WorkQueue queue = queues[lane];
    if (queue != null) {
      queues[lane] = null;
      queue.served(nowNanos - startNanos[lane] - predictedNanos[lane]);
    }
    return queue;
  }

  /** Fills in when each lane is free, from now; one that should be by now counts as free. */
  void freeAfter(long nowNanos, long[] nanos) {
    for (int lane = 0; lane < nanos.length; lane++) {
      nanos[lane] = freeAfter(lane, nowNanos);
    }
  }

  /** When the last lane is free, from now. */
  long allFreeAfter(long nowNanos) {
    long latest = 0;
    for (int lane = 0; lane < queues.length; lane++) {
      latest = Math.max(latest, freeAfter(lane, nowNanos));
    }
    return latest;
  }

  private long freeAfter(int lane, long nowNanos) {
    return queues[lane] == null
        ? 0
        : Math.max(0, startNanos[lane] + predictedNanos[lane] - nowNanos);
  }
}
