package meridian.batching;

import java.time.Duration;

/**
 * What the latency tables say of the queues as they are: who will be late, and how long everything
 * takes. A bound that costs nothing answers in most cases; a {@link Plan} is made only where it
 * does not.
 */
final class Outlook {

  private static final Duration UNKNOWN = Duration.ofSeconds(1);
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Heap<WorkQueue> queues;
  private final Heap<Ticket> deadlines;
  private final Runs runs;
  private final Plan plan;
  private long longestNanos;

  Outlook(Heap<WorkQueue> queues, Heap<Ticket> deadlines, Runs runs) {
    this.queues = queues;
    this.deadlines = deadlines;
    this.runs = runs;
    this.plan = new Plan(runs);
  }

  /** Takes a ticket that was added into account. */
  void added(Ticket ticket) {
    int mostRows = ticket.queue().settings().maxBatchRows();
    longestNanos = Math.max(longestNanos, ticket.curve().q99Nanos(mostRows));
  }

  /** Nothing waits any more. */
  void cleared() {
    longestNanos = 0;
  }

  /** True when nobody can be late, whatever the order, even if lanes are held up by so much. */
  boolean isRelaxed(long heldNanos, long nowNanos) {
    Ticket first = deadlines.first();
    return first == null
        || first.work().deadline().remainingNanos(nowNanos) >= heldNanos + doneNanos(nowNanos);
  }

  /** How many will be late, if lanes are held up by so much. */
  int late(long heldNanos, long nowNanos) {
    return plan.late(queues, heldNanos, nowNanos);
  }

  int lateAfter(BucketQueue line, int lane, long nowNanos) {
    return plan.lateAfter(line, lane, queues, nowNanos);
  }

  /** The latest that anyone was in the plan made last. */
  long lateNanos() {
    return plan.lateNanos();
  }

  /** When what waits will have left. */
  Duration retryAfter(long nowNanos) {
    long nanos = doneNanos(nowNanos);
    return nanos == 0 ? UNKNOWN : bounded(nanos);
  }

  static Duration bounded(long nanos) {
    return Duration.ofNanos(Math.clamp(nanos, SHORTEST.toNanos(), LONGEST.toNanos()));
  }

  /**
   * When everything is done at the latest, from now. Lanes that never wait finish no later than the
   * mean of their load and one batch more (Graham, 1966).
   */
  private long doneNanos(long nowNanos) {
    long workNanos = 0;
    for (int i = 0; i < queues.size(); i++) {
      workNanos += queues.element(i).workNanos();
    }
    long tail = runs.lanes() == 1 || workNanos == 0 ? 0 : longestNanos;
    return runs.allFreeAfter(nowNanos) + workNanos / runs.lanes() + tail;
  }
}
