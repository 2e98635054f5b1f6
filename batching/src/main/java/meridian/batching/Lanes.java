package meridian.batching;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import meridian.core.time.NanoClock;

/**
 * The threads that execute batches, shared by all queues opened on them. An idle lane gets a
 * request on the spot, there is no delay; while all are busy requests gather, and a lane that
 * becomes free takes what the {@link Scheduler} chooses. While all are idle, an execution so brief
 * that waking a lane would take longer runs on the thread that brings it, in the place of a lane.
 *
 * <p>What a runner or listener throws against its contract goes to the uncaught-exception handler
 * of the lane's thread; the lane lives on.
 */
public final class Lanes implements AutoCloseable {

  private final Dispatch dispatch;
  private final List<Lane> lanes;
  private final List<Thread> threads;

  private Lanes(int count, NanoClock clock, ThreadFactory threads) {
    this.dispatch = new Dispatch(count, clock);
    this.lanes = IntStream.range(0, count).mapToObj(i -> new Lane(dispatch, i, threads)).toList();
    this.threads =
        Stream.concat(
                lanes.stream().map(Lane::thread),
                Stream.of(Objects.requireNonNull(threads.newThread(dispatch.watch()))))
            .toList();
  }

  /**
   * @param count lanes to start
   * @param threads makes the lanes' threads, in order, and last the one that watches deadlines
   */
  public static Lanes start(int count, NanoClock clock, ThreadFactory threads) {
    if (count < 1) {
      throw new IllegalArgumentException("count: " + count + " (expected: 1 or more)");
    }
    Lanes lanes = new Lanes(count, clock, threads);
    lanes.lanes.forEach(lanes.dispatch::idle);
    lanes.threads.forEach(Thread::start);
    return lanes;
  }

  /**
   * Opens the queue of a served version.
   *
   * @param table what executions are known to take; from now on it is the queue's, which learns
   *     from every execution
   */
  public ModelQueue open(
      QueueSettings settings, LatencyTable table, BatchRunner runner, BatchListener listener) {
    return new LaneQueue(dispatch, dispatch.open(settings, table, runner, listener));
  }

  public int count() {
    return lanes.size();
  }

  /** Lanes that execute now. */
  public int busy() {
    return lanes.size() - dispatch.idleLanes();
  }

  /** Of all queues together. */
  public Accounting accounting() {
    return dispatch.accounting();
  }

  /**
   * Refuses what waits and what comes as {@code UNAVAILABLE}, and returns when the batches that run
   * are finished and the lanes have ended; at once when called on a lane.
   */
  @Override
  public void close() {
    dispatch.close();
    lanes.forEach(Lane::stop);
    dispatch.watch().stop();
    if (!isHere()) {
      joinAll();
    }
  }

  private boolean isHere() {
    return threads.contains(Thread.currentThread()) || lanes.stream().anyMatch(Lane::isLentHere);
  }

  private void joinAll() {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
