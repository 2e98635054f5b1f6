package meridian.batching;

/** The least lane time first; before anything ran or was measured, the earliest deadline. */
final class ByService extends Heap<WorkQueue> {
  @Override
  boolean before(WorkQueue a, WorkQueue b) {
    return a.servedNanos() != b.servedNanos()
        ? a.servedNanos() < b.servedNanos()
        : a.head().isDueBefore(b.head());
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
