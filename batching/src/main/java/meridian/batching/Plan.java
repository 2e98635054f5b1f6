package meridian.batching;

import org.jspecify.annotations.Nullable;

/**
 * What will happen to everything that waits if nothing more comes: the lane that is free first
 * takes the batch that has to begin first, and so on. Nothing is changed; it only counts who will
 * be late.
 *
 * <p>The batches of a plan do not depend on the time, so the plan is a list schedule of independent
 * jobs. In such a schedule a lane that is free earlier, or a batch that ends earlier or is left
 * out, makes no other batch later: the sorted instants at which lanes are free only fall. So a plan
 * without a late ticket stays one while executions take no longer than predicted.
 */
final class Plan {

  /** A plan is followed this far, which bounds what a decision costs. */
  static final int MOST_TICKETS = 1_024;

  private final Runs runs;
  private final Heap<WorkQueue> order = new ByLatestStart();
  private final long[] freeNanos;
  private long nowNanos;
  private int late;
  private long lateNanos;

  Plan(Runs runs) {
    this.runs = runs;
    this.freeNanos = new long[runs.lanes()];
  }

  /** How many of those that wait will be late, if no lane is to be had for {@code heldNanos}. */
  int late(Heap<WorkQueue> queues, long heldNanos, long atNanos) {
    begin(queues, null, atNanos);
    for (int lane = 0; lane < freeNanos.length; lane++) {
      freeNanos[lane] += heldNanos;
    }
    return follow();
  }

  /** How many will be late if the lane runs the line's candidate now, its own requests included. */
  int lateAfter(BucketQueue line, int lane, Heap<WorkQueue> queues, long atNanos) {
    begin(queues, line, atNanos);
    PlannedBatch batch = line.candidate;
    freeNanos[lane] = batch.nanos();
    late = batch.late(atNanos + batch.nanos());
    return follow();
  }

  /** The latest that anyone was, in the plan that was followed last. */
  long lateNanos() {
    return lateNanos;
  }

  /**
   * @param started the line whose candidate runs now
   */
  private void begin(Heap<WorkQueue> queues, @Nullable BucketQueue started, long atNanos) {
    nowNanos = atNanos;
    late = 0;
    lateNanos = 0;
    runs.freeAfter(nowNanos, freeNanos);
    for (int i = 0; i < queues.size(); i++) {
      WorkQueue queue = queues.element(i);
      order.keep(queue, queue.plan().begin(started));
    }
  }

  private int follow() {
    int followed = 0;
    for (WorkQueue queue = order.first();
        queue != null && followed < MOST_TICKETS;
        queue = order.first()) {
      PlannedBatch batch = queue.plan().batch();
      followed += batch.tickets();
      run(batch);
      order.keep(queue, queue.plan().advance());
    }
    for (WorkQueue queue = order.first(); queue != null; queue = order.first()) {
      order.remove(queue);
    }
    return late;
  }

  private void run(PlannedBatch batch) {
    int lane = firstFree();
    freeNanos[lane] += batch.nanos();
    long endNanos = nowNanos + freeNanos[lane];
    int lateHere = batch.late(endNanos);
    if (lateHere > 0) {
      late += lateHere;
      lateNanos = Math.max(lateNanos, batch.lateNanos(endNanos));
    }
  }

  private int firstFree() {
    int first = 0;
    for (int lane = 1; lane < freeNanos.length; lane++) {
      if (freeNanos[lane] < freeNanos[first]) {
        first = lane;
      }
    }
    return first;
  }

  private static final class ByLatestStart extends Heap<WorkQueue> {
    @Override
    boolean before(WorkQueue a, WorkQueue b) {
      long difference = a.plan().batch().latestStartNanos() - b.plan().batch().latestStartNanos();
      return difference != 0 ? difference < 0 : a.number() < b.number();
    }

    @Override
    int place(WorkQueue queue) {
      return queue.placeInPlan;
    }

    @Override
    void place(WorkQueue queue, int place) {
      queue.placeInPlan = place;
    }
  }
}
