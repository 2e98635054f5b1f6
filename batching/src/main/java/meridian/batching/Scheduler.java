package meridian.batching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import meridian.core.error.Problem;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is taken in and what a free lane runs next. Without threads, clock or lock: one
 * caller at a time, and the time is an argument.
 *
 * <p>Within a queue the order is priority, then the tenants' turn, then earliest deadline, then
 * arrival. A ticket without a deadline counts as due {@link #PATIENCE} after its arrival, so that
 * those with one cannot hold it back for ever. Between queues {@link Choice} decides, and {@link
 * Admission} whether an offer is a promise that can be kept.
 *
 * <p>Nothing is allocated for a decision but the batch that is taken. Offer, cancel, expiry and
 * take are O(log n) in the tickets waiting while nobody's deadline is near, and O(n) up to {@link
 * Plan#MOST_TICKETS} when one is.
 */
public final class Scheduler {

  /** When a request that names no deadline becomes as urgent as one whose deadline is now. */
  public static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Heap<WorkQueue> queues = new ByService();
  private final Heap<Ticket> deadlines = new ByDeadline();
  private final Tally tally = new Tally();
  private final Consumer<Ticket> expired;
  private final Runs runs;
  private final Outlook outlook;
  private final Admission admission;
  private final Choice choice;
  private long opened;
  private long sequence;
  private long waiting;
  private long servedNanos;
  private boolean closed;

  /**
   * @param lanes that take, numbered from 0
   * @param expired given every ticket whose deadline passes while it waits, from inside {@link
   *     #offer}, {@link #take} and {@link #expire}
   */
  public Scheduler(int lanes, Consumer<Ticket> expired) {
    this.expired = expired;
    this.runs = new Runs(lanes);
    this.outlook = new Outlook(queues, deadlines, runs);
    this.admission = new Admission(outlook);
    this.choice = new Choice(queues, outlook);
  }

  /**
   * @param table what executions take; the caller corrects it, when no other call is under way
   */
  public WorkQueue open(
      QueueSettings settings, LatencyTable table, BatchRunner runner, BatchListener listener) {
    return new WorkQueue(settings, table, runner, listener, opened++);
  }

  /**
   * Takes a ticket into its queue, or says why not: {@code UNAVAILABLE}, {@code INVALID_ARGUMENT},
   * {@code CANCELLED}, {@code DEADLINE_EXCEEDED} when the deadline cannot be met, or {@code
   * OVERLOADED} when it could be but for the load.
   *
   * @param laneFree true when the caller takes right after: then the bounds do not matter, because
   *     nothing waits
   */
  public @Nullable Problem offer(Ticket ticket, boolean laneFree, long nowNanos) {
    WorkQueue queue = ticket.queue();
    count(queue, Tally.Event.OFFERED);
    expire(nowNanos);
    Problem objection = closed ? Refusals.queueClosed(queue.settings()) : queue.objection(ticket);
    if (objection != null) {
      return refused(queue, Tally.Event.REJECTED, objection);
    }
    Tally.Event over = over(ticket, nowNanos);
    if (over != null) {
      return refused(queue, over, Refusals.over(ticket, over, nowNanos));
    }
    Problem problem = admit(ticket, laneFree, nowNanos);
    return problem == null ? null : refused(queue, Tally.Event.REJECTED, problem);
  }

  /**
   * The batch that the lane is to run next, or null when nothing waits. What the lane ran before is
   * finished.
   */
  public @Nullable Batch take(int lane, long nowNanos) {
    finish(lane, nowNanos);
    expire(nowNanos);
    WorkQueue fairest = queues.first();
    return fairest == null ? null : run(lane, choice.next(fairest, lane, nowNanos), nowNanos);
  }

  /** Takes a ticket out that nobody waits for; false when it waits no more. */
  public boolean cancel(Ticket ticket, long nowNanos) {
    return withdraw(ticket, Tally.Event.CANCELLED, nowNanos);
  }

  /** Takes all tickets out whose deadline has passed. */
  public void expire(long nowNanos) {
    for (Ticket first = deadlines.first();
        first != null && first.work().deadline().isPast(nowNanos);
        first = deadlines.first()) {
      withdraw(first, Tally.Event.EXPIRED, nowNanos);
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
    for (WorkQueue queue = queues.first(); queue != null; queue = queues.first()) {
      Ticket first = queue.head();
      remove(first);
      count(queue, Tally.Event.REJECTED);
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
  void recount(Ticket ticket, Tally.Event over) {
    ticket.queue().tally().withdraw(over);
    tally.withdraw(over);
  }

  private @Nullable Problem admit(Ticket ticket, boolean laneFree, long nowNanos) {
    WorkQueue queue = ticket.queue();
    ticket.aloneNanos = ticket.curve().q99Nanos(ticket.slots());
    Problem hopeless = admission.hopeless(ticket, laneFree, nowNanos);
    if (hopeless != null) {
      return hopeless;
    }
    queue.tenants().place(ticket);
    if (laneFree) {
      add(ticket);
      return null;
    }
    Problem overflow = queue.overflow(ticket, outlook, nowNanos);
    return overflow == null ? place(ticket, nowNanos) : overflow;
  }

  private @Nullable Problem place(Ticket ticket, long nowNanos) {
    Problem problem = place(ticket, 0, nowNanos);
    if (problem == null || Admission.isBeyondShare(ticket)) {
      return problem;
    }
    int late = outlook.late(0, nowNanos);
    return late == 0 ? problem : place(ticket, late, nowNanos);
  }

  private @Nullable Problem place(Ticket ticket, int late, long nowNanos) {
    BucketQueue line = add(ticket);
    Problem problem = admission.plan(ticket, line, late, nowNanos);
    if (problem != null) {
      remove(ticket);
    }
    return problem;
  }

  private BucketQueue add(Ticket ticket) {
    WorkQueue queue = ticket.queue();
    ticket.sequence = sequence++;
    if (queue.isEmpty()) {
      queue.creditUpTo(servedNanos);
    }
    BucketQueue line = queue.add(ticket);
    if (ticket.work().deadline().bounded()) {
      deadlines.add(ticket);
    }
    waiting++;
    outlook.added(ticket);
    reorder(queue);
    return line;
  }

  private void finish(int lane, long nowNanos) {
    WorkQueue ran = runs.end(lane, nowNanos);
    if (ran != null) {
      reorder(ran);
    }
  }

  private Batch run(int lane, BucketQueue line, long nowNanos) {
    Ticket head = line.head();
    WorkQueue queue = head.queue();
    servedNanos = Math.max(servedNanos, queue.servedNanos());
    runs.begin(lane, queue, line.candidate.nanos(), nowNanos);
    if (head.curve().known()) {
      head.curve().begin(nowNanos);
    }
    List<Ticket> tickets = queue.takeCandidate(line);
    for (int i = 0; i < tickets.size(); i++) {
      left(tickets.get(i));
      count(queue, Tally.Event.DISPATCHED);
    }
    reorder(queue);
    return new Batch(queue, tickets);
  }

  private boolean withdraw(Ticket ticket, Tally.Event why, long nowNanos) {
    if (!outlook.isRelaxed(0, nowNanos)) {
      ticket.queue().pinAround(ticket);
    }
    if (!remove(ticket)) {
      return false;
    }
    count(ticket.queue(), why);
    return true;
  }

  private boolean remove(Ticket ticket) {
    if (!ticket.queue().remove(ticket)) {
      return false;
    }
    left(ticket);
    reorder(ticket.queue());
    return true;
  }

  private void left(Ticket ticket) {
    if (deadlines.contains(ticket)) {
      deadlines.remove(ticket);
    }
    waiting--;
    if (waiting == 0) {
      outlook.cleared();
    }
  }

  private void reorder(WorkQueue queue) {
    queues.keep(queue, !queue.isEmpty());
  }

  private Problem refused(WorkQueue queue, Tally.Event why, Problem problem) {
    count(queue, why);
    return problem;
  }

  private void count(WorkQueue queue, Tally.Event event) {
    queue.tally().add(event);
    tally.add(event);
  }
}
