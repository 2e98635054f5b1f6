package meridian.batching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import meridian.core.error.Problem;
import meridian.core.latency.ExecutionTimes;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Brings tickets and lanes together. One lock guards the scheduler and the idle lanes; it is held
 * for a decision, never while a model runs, a thread is woken or an answer is given. While a lane
 * is idle nothing waits.
 *
 * <p>A brief execution runs on the thread that submits it, which takes a lane's place meanwhile, if
 * all lanes are idle: then nobody else wants the processor, and two wake-ups are saved.
 */
final class Dispatch {

  private final int lanes;
  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Ticket> expired = new ArrayList<>();
  private final Scheduler scheduler;
  private final Deque<Lane> idle = new ArrayDeque<>();
  private final DeadlineWatch watch = new DeadlineWatch(this);
  private Deadline watched = Deadline.NONE;

  Dispatch(int lanes, NanoClock clock) {
    this.lanes = lanes;
    this.scheduler = new Scheduler(lanes, expired::add);
    this.clock = clock;
  }

  long nanos() {
    return clock.nanos();
  }

  DeadlineWatch watch() {
    return watch;
  }

  WorkQueue open(
      QueueSettings settings, LatencyTable table, BatchRunner runner, BatchListener listener) {
    return supplyLocked(() -> scheduler.open(settings, table, runner, listener));
  }

  /** Notes a lane that has nothing to do. */
  void idle(Lane lane) {
    runLocked(() -> idle.push(lane));
  }

  int idleLanes() {
    return supplyLocked(idle::size);
  }

  void submit(Ticket ticket, long nowNanos) {
    Placement placement = supplyLocked(() -> place(ticket, nowNanos));
    if (placement.refusal != null) {
      ticket.refuse(placement.refusal, nowNanos);
    } else if (placement.lane == null) {
      awaitLane(ticket, placement.watch);
    } else if (placement.lent != null) {
      placement.lane.runHere(placement.lent);
      giveBack(placement.lane);
    } else {
      placement.lane.wake();
    }
    refuseLate(placement.late, nowNanos);
  }

  /** What the lane is to run next; sleeps while nothing is. Null once the lanes are closed. */
  @Nullable Batch next(Lane lane) {
    occupy(lane);
    return lane.await();
  }

  private void giveBack(Lane lane) {
    occupy(lane);
    lane.takeUp();
  }

  /** Hands the lane, which has finished, what it is to run next; it is idle when nothing waits. */
  private void occupy(Lane lane) {
    long nowNanos = clock.nanos();
    List<Ticket> late;
    lock.lock();
    try {
      Batch batch = scheduler.take(lane.number(), nowNanos);
      lane.giveBack(batch);
      if (batch == null) {
        idle.push(lane);
      }
      late = takeExpired();
    } finally {
      lock.unlock();
    }
    refuseLate(late, nowNanos);
  }

  /** Answers those whose deadline has passed; the next to watch for. */
  Deadline expire() {
    long nowNanos = clock.nanos();
    Deadline next;
    List<Ticket> late;
    lock.lock();
    try {
      scheduler.expire(nowNanos);
      next = scheduler.nextDeadline();
      watched = next;
      late = takeExpired();
    } finally {
      lock.unlock();
    }
    refuseLate(late, nowNanos);
    return next;
  }

  /** Has the queue's table learn from an execution. */
  void record(Ticket first, int slots, long nanos) {
    runLocked(() -> first.queue().table().record(first.measuredAs(), slots, nanos));
  }

  ExecutionTimes executionTimes(WorkQueue queue) {
    return supplyLocked(queue.table()::snapshot);
  }

  void withdraw(Ticket ticket, Tally.Event over) {
    runLocked(() -> scheduler.recount(ticket, over));
  }

  /** Runs each request of the queue alone from now on. */
  void separate(WorkQueue queue) {
    runLocked(queue::separate);
  }

  void closeQueue(WorkQueue queue) {
    runLocked(queue::close);
  }

  long depthRows(WorkQueue queue) {
    return supplyLocked(queue::rows);
  }

  /** Of all queues together. */
  Accounting accounting() {
    return supplyLocked(scheduler::accounting);
  }

  Accounting accounting(WorkQueue queue) {
    return supplyLocked(queue::accounting);
  }

  /** Refuses what waits and what comes. */
  void close() {
    long nowNanos = clock.nanos();
    for (Ticket ticket : supplyLocked(scheduler::close)) {
      ticket.refuse(Refusals.queueClosed(ticket.queue().settings()), nowNanos);
    }
  }

  private Placement place(Ticket ticket, long nowNanos) {
    Lane lane = idle.peek();
    Problem refusal = scheduler.offer(ticket, lane != null, nowNanos);
    Batch lent = refusal == null && lane != null ? start(lane, ticket, nowNanos) : null;
    boolean watch = refusal == null && lane == null && watchFor(ticket.work().deadline());
    return new Placement(refusal, lane, lent, watch, takeExpired());
  }

  /** Gives the idle lane the ticket just offered; the batch if the lane was lent for it. */
  private @Nullable Batch start(Lane lane, Ticket ticket, long nowNanos) {
    Batch batch = Objects.requireNonNull(scheduler.take(lane.number(), nowNanos));
    boolean here = idle.size() == lanes && ticket.isBrief();
    idle.remove();
    if (here) {
      lane.lend();
      return batch;
    }
    lane.hand(batch);
    return null;
  }

  private void awaitLane(Ticket ticket, boolean earliest) {
    if (earliest) {
      watch.wake();
    }
    ticket.work().cancellation().onCancel(() -> cancel(ticket));
  }

  private boolean watchFor(Deadline deadline) {
    Deadline earlier = watched.earlier(deadline);
    boolean changed = !earlier.equals(watched);
    watched = earlier;
    return changed;
  }

  private void cancel(Ticket ticket) {
    long nowNanos = clock.nanos();
    if (supplyLocked(() -> scheduler.cancel(ticket, nowNanos))) {
      ticket.refuse(Refusals.cancelled(), nowNanos);
    }
  }

  private List<Ticket> takeExpired() {
    if (expired.isEmpty()) {
      return List.of();
    }
    List<Ticket> taken = List.copyOf(expired);
    expired.clear();
    return taken;
  }

  private static void refuseLate(List<Ticket> late, long nowNanos) {
    for (Ticket ticket : late) {
      ticket.refuse(Refusals.deadlinePassed(ticket, nowNanos), nowNanos);
    }
  }

  private <T> T supplyLocked(Supplier<T> supplier) {
    lock.lock();
    try {
      return supplier.get();
    } finally {
      lock.unlock();
    }
  }

  private void runLocked(Runnable runnable) {
    lock.lock();
    try {
      runnable.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * @param lane that was given the ticket, or null when the ticket waits
   * @param lent what to run on this thread, which has borrowed the lane
   * @param watch true when the watch is to wake for the ticket's deadline
   * @param late others that have expired
   */
  private record Placement(
      @Nullable Problem refusal,
      @Nullable Lane lane,
      @Nullable Batch lent,
      boolean watch,
      List<Ticket> late) {}
}
