package meridian.batching;

/** A run of tickets of one line that are to share an execution. */
final class PlannedBatch {

  private final BucketQueue line;
  private int from;
  private int to;
  private int slots;
  private long nanos;
  private long dueNanos;

  PlannedBatch(BucketQueue line) {
    this.line = line;
  }

  int tickets() {
    return to - from;
  }

  Ticket first() {
    return line.get(from);
  }

  int end() {
    return to;
  }

  /** What it takes, in 99 of 100 cases. */
  long nanos() {
    return nanos;
  }

  /** When it has to begin for all to be in time. */
  long latestStartNanos() {
    return dueNanos - nanos;
  }

  boolean isLast() {
    return to == line.size();
  }

  /** The batch from ticket {@code first} on, as planned: up to the next that begins one. */
  void form(int first, int mostRows, boolean mixing) {
    start(first);
    while (mixing && fits(mostRows) && !line.get(to).beginsBatch) {
      extend();
    }
    finish();
  }

  /** The batch of as many as fit, from the first ticket on. */
  void formLargest(int mostRows, boolean mixing) {
    start(0);
    while (mixing && fits(mostRows)) {
      extend();
    }
    finish();
  }

  /** Leaves its last ticket out. */
  void shorten() {
    slots -= line.get(--to).slots();
    dueNanos = line.get(from).dueNanos();
    for (int i = from + 1; i < to; i++) {
      takeDue(line.get(i));
    }
    finish();
  }

  /** How many miss their deadline if it ends then. */
  int late(long endNanos) {
    if (dueNanos - endNanos >= 0) {
      return 0;
    }
    int late = 0;
    for (int i = from; i < to; i++) {
      late += line.get(i).isLate(endNanos) ? 1 : 0;
    }
    return late;
  }

  /** By how much it is too late for the first of its deadlines, if it ends then. */
  long lateNanos(long endNanos) {
    return endNanos - dueNanos;
  }

  private void start(int first) {
    from = first;
    to = first + 1;
    slots = line.get(first).slots();
    dueNanos = line.get(first).dueNanos();
  }

  private boolean fits(int mostRows) {
    return to < line.size() && slots + line.get(to).slots() <= mostRows;
  }

  private void extend() {
    Ticket next = line.get(to++);
    slots += next.slots();
    takeDue(next);
  }

  private void takeDue(Ticket ticket) {
    if (ticket.dueNanos() - dueNanos < 0) {
      dueNanos = ticket.dueNanos();
    }
  }

  private void finish() {
    nanos = line.get(from).curve().q99Nanos(slots);
  }
}
