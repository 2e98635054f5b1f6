package meridian.batching;

import org.jspecify.annotations.Nullable;

/** The batches of one queue, in the order in which a {@link Plan} goes through them. */
final class QueuePlan {

  private final WorkQueue queue;
  private final Heap<BucketQueue> lines;
  private final Heap<BucketQueue> order = new ByPlannedHead();

  /**
   * @param lines those of the queue in which tickets wait
   */
  QueuePlan(WorkQueue queue, Heap<BucketQueue> lines) {
    this.queue = queue;
    this.lines = lines;
  }

  /**
   * Goes to the first batch; false when there is none.
   *
   * @param started the line whose candidate is gone already
   */
  boolean begin(@Nullable BucketQueue started) {
    for (int i = 0; i < lines.size(); i++) {
      BucketQueue line = lines.element(i);
      int first = line == started ? line.candidate.end() : 0;
      form(line, first, first < line.size());
    }
    return order.size() > 0;
  }

  PlannedBatch batch() {
    return order.head().planned;
  }

  /** Goes to the next batch; false when there is none. */
  boolean advance() {
    BucketQueue line = order.head();
    form(line, line.planned.end(), !line.planned.isLast());
    return order.size() > 0;
  }

  private void form(BucketQueue line, int first, boolean left) {
    if (left) {
      queue.formPlanned(line, first);
    }
    order.keep(line, left);
  }

  private static final class ByPlannedHead extends Heap<BucketQueue> {
    @Override
    boolean before(BucketQueue a, BucketQueue b) {
      return a.planned.first().isBefore(b.planned.first());
    }

    @Override
    int place(BucketQueue line) {
      return line.placeInPlan;
    }

    @Override
    void place(BucketQueue line, int place) {
      line.placeInPlan = place;
    }
  }
}
