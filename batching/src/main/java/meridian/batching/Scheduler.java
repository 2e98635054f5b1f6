package meridian.batching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import meridian.core.error.Problem;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a free lane runs next. Without threads, clock or lock: one caller at a time, and the
 * time is an argument.
 *
 * <p>Within a queue the order is priority, then earliest deadline, then arrival. Between queues a
 * lane takes the one whose first ticket is due earliest, whatever its priority. A ticket without a
 * deadline counts as due {@link #PATIENCE} after its arrival; so every first ticket has an instant
 * after which no newcomer of another queue gets past it, and no queue starves.
 *
 * <p>All structures are heaps whose elements know their place: offer, cancel and expiry are O(log
 * n) in the tickets waiting, a take O(log n) per ticket taken, and what left leaves nothing behind.
 */
public final class Scheduler {

  /** When a request that names no deadline becomes as urgent as one whose deadline is now. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Heap<WorkQueue> urgent = new ByUrgency();
  private final Heap<Ticket> deadlines = new ByDeadline();
  private final Tally tally = new Tally();
  private final Consumer<Ticket> expired;
  private long sequence;
  private long waiting;
  private boolean closed;

  /**
   * @param expired given every ticket whose deadline passes while it waits, from inside {@link
   *     #offer}, {@link #take} and {@link #expire}
   */
  public Scheduler(Consumer<Ticket> expired) {
    this.expired = expired;
  }

  public WorkQueue open(QueueSettings settings, BatchRunner runner, BatchListener listener) {
    return new WorkQueue(settings, runner, listener);
  }

  /**
   * Takes a ticket into its queue, or says why not: {@code UNAVAILABLE}, {@code INVALID_ARGUMENT},
   * {@code CANCELLED}, {@code DEADLINE_EXCEEDED} or {@code OVERLOADED}.
   *
   * @param laneFree true when the caller takes right after: then the bounds do not matter, because
   *     nothing waits
   */
  public @Nullable Problem offer(Ticket ticket, boolean laneFree, long nowNanos) {
    WorkQueue queue = ticket.queue();
    count(queue, Tally.Event.OFFERED);
    Problem objection = closed ? Refusals.queueClosed(queue.settings()) : queue.objection(ticket);
    if (objection != null) {
      return refused(queue, Tally.Event.REJECTED, objection);
    }
    Tally.Event over = over(ticket, nowNanos);
    if (over != null) {
      return refused(queue, over, Refusals.over(ticket, over, nowNanos));
    }
    Problem overflow = laneFree ? null : overflow(ticket, nowNanos);
    if (overflow != null) {
      return refused(queue, Tally.Event.REJECTED, overflow);
    }
    add(ticket);
    return null;
  }

  /** The batch to run next, or null when nothing waits. */
  public @Nullable Batch take(long nowNanos) {
    expire(nowNanos);
    WorkQueue queue = urgent.first();
    if (queue == null) {
      return null;
    }
    List<Ticket> tickets = queue.take(nowNanos);
    for (Ticket ticket : tickets) {
      left(ticket);
      count(queue, Tally.Event.DISPATCHED);
    }
    reorder(queue);
    return new Batch(queue, tickets);
  }

  /** Takes a ticket out that nobody waits for; false when it waits no more. */
  public boolean cancel(Ticket ticket) {
    return remove(ticket, Tally.Event.CANCELLED);
  }

  /** Takes all tickets out whose deadline has passed. */
  public void expire(long nowNanos) {
    for (Ticket first = deadlines.first();
        first != null && first.work().deadline().isPast(nowNanos);
        first = deadlines.first()) {
      remove(first, Tally.Event.EXPIRED);
      expired.accept(first);
    }
  }

  /** When the next ticket expires. */
  public Deadline nextDeadline() {
    Ticket first = deadlines.first();
    return first == null ? Deadline.NONE : first.work().deadline();
  }

  /** Of all queues together. */
  public Accounting accounting() {
    return tally.snapshot(waiting);
  }

  /** Refuses from now on, and takes all tickets out, to be refused. */
  List<Ticket> close() {
    closed = true;
    List<Ticket> cleared = new ArrayList<>();
    for (WorkQueue queue = urgent.first(); queue != null; queue = urgent.first()) {
      Ticket first = queue.head();
      remove(first, Tally.Event.REJECTED);
      cleared.add(first);
    }
    return cleared;
  }

  /** How a request is over before it runs, or null. */
  static Tally.@Nullable Event over(Ticket ticket, long nowNanos) {
    if (ticket.work().cancellation().isCancelled()) {
      return Tally.Event.CANCELLED;
    }
    return ticket.work().deadline().isPast(nowNanos) ? Tally.Event.EXPIRED : null;
  }

  /** Counts a dispatched ticket that turned out to be over as what it is. */
  void withdraw(Ticket ticket, Tally.Event over) {
    ticket.queue().tally().withdraw(over);
    tally.withdraw(over);
  }

  private @Nullable Problem overflow(Ticket ticket, long nowNanos) {
    if (ticket.queue().overflow(ticket) == null) {
      return null;
    }
    expire(nowNanos);
    return ticket.queue().overflow(ticket);
  }

  private void add(Ticket ticket) {
    ticket.sequence = sequence++;
    ticket.queue().add(ticket);
    if (ticket.work().deadline().bounded()) {
      deadlines.add(ticket);
    }
    waiting++;
    reorder(ticket.queue());
  }

  private boolean remove(Ticket ticket, Tally.Event why) {
    WorkQueue queue = ticket.queue();
    if (!queue.remove(ticket)) {
      return false;
    }
    left(ticket);
    count(queue, why);
    reorder(queue);
    return true;
  }

  private void left(Ticket ticket) {
    if (deadlines.contains(ticket)) {
      deadlines.remove(ticket);
    }
    waiting--;
  }

  private void reorder(WorkQueue queue) {
    urgent.keep(queue, !queue.isEmpty());
  }

  private Problem refused(WorkQueue queue, Tally.Event why, Problem problem) {
    count(queue, why);
    return problem;
  }

  private void count(WorkQueue queue, Tally.Event event) {
    queue.tally().add(event);
    tally.add(event);
  }

  private static final class ByUrgency extends Heap<WorkQueue> {
    @Override
    boolean before(WorkQueue a, WorkQueue b) {
      return a.head().isDueBefore(b.head());
    }

    @Override
    int place(WorkQueue queue) {
      return queue.place;
    }

    @Override
    void place(WorkQueue queue, int place) {
      queue.place = place;
    }
  }

  private static final class ByDeadline extends Heap<Ticket> {
    @Override
    boolean before(Ticket a, Ticket b) {
      return a.isDueBefore(b);
    }

    @Override
    int place(Ticket ticket) {
      return ticket.placeByDeadline;
    }

    @Override
    void place(Ticket ticket, int place) {
      ticket.placeByDeadline = place;
    }
  }
}
