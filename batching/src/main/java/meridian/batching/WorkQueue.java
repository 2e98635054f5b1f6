package meridian.batching;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import meridian.core.error.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one served version: a line per bucket, each in order, and the lines ordered by
 * their heads. Changed by its {@link Scheduler} only.
 */
public final class WorkQueue {

  private final QueueSettings settings;
  private final BatchRunner runner;
  private final BatchListener listener;
  private final Map<Bucket, BucketQueue> lines = new HashMap<>();
  private final Heap<BucketQueue> order = new ByHead();
  private final DrainRate rate = new DrainRate();
  private final Tally tally = new Tally();
  private long rows;
  private long bytes;
  private long count;
  private boolean mixing;
  private boolean closed;
  int place = Heap.ABSENT;

  WorkQueue(QueueSettings settings, BatchRunner runner, BatchListener listener) {
    this.settings = settings;
    this.runner = runner;
    this.listener = listener;
    this.mixing = settings.mixing();
  }

  public QueueSettings settings() {
    return settings;
  }

  BatchRunner runner() {
    return runner;
  }

  BatchListener listener() {
    return listener;
  }

  Tally tally() {
    return tally;
  }

  long rows() {
    return rows;
  }

  Accounting accounting() {
    return tally.snapshot(count);
  }

  /** Refuses from now on; what waits stays. */
  void close() {
    closed = true;
  }

  /** Runs each request alone from now on. */
  void separate() {
    mixing = false;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** The ticket to run next, where one waits. */
  Ticket head() {
    return order.head().head();
  }

  /** Why the ticket can never be run here, or null. */
  @Nullable Problem objection(Ticket ticket) {
    if (closed) {
      return Refusals.queueClosed(settings);
    }
    int rows = ticket.work().rows();
    return rows > settings.maxBatchRows()
        ? Refusals.tooManyRows(rows, settings.maxBatchRows())
        : null;
  }

  /** Why the ticket cannot wait here now, or null. */
  @Nullable Problem overflow(Ticket ticket) {
    if (rows + ticket.slots() > settings.maxQueueRows()) {
      return Refusals.queueFull(
          settings, "rows", rows, ticket.slots(), settings.maxQueueRows(), rate.timeFor(rows));
    }
    if (bytes + ticket.bytes() > settings.maxQueueBytes()) {
      return Refusals.queueFull(
          settings, "bytes", bytes, ticket.bytes(), settings.maxQueueBytes(), rate.timeFor(rows));
    }
    return null;
  }

  void add(Ticket ticket) {
    BucketQueue line = lines.computeIfAbsent(ticket.bucket(), BucketQueue::new);
    line.add(ticket);
    rows += ticket.slots();
    bytes += ticket.bytes();
    count++;
    reorder(line);
  }

  /** False when the ticket does not wait here. */
  boolean remove(Ticket ticket) {
    BucketQueue line = ticket.line;
    if (line == null) {
      return false;
    }
    line.remove(ticket);
    rows -= ticket.slots();
    bytes -= ticket.bytes();
    count--;
    reorder(line);
    return true;
  }

  /**
   * Takes the first ticket and those behind it in its line while they fit. The first that does not
   * fit ends the batch: a smaller one behind it must not overtake it.
   */
  List<Ticket> take(long nowNanos) {
    BucketQueue line = order.head();
    List<Ticket> batch = new ArrayList<>();
    int slots = 0;
    int most = settings.maxBatchRows();
    for (Ticket next = line.first();
        next != null && slots + next.slots() <= most;
        next = mixing ? line.first() : null) {
      remove(next);
      batch.add(next);
      slots += next.slots();
    }
    rate.taken(slots, count > 0, nowNanos);
    return batch;
  }

  private void reorder(BucketQueue line) {
    if (line.isEmpty()) {
      lines.remove(line.bucket());
    }
    order.keep(line, !line.isEmpty());
  }

  private static final class ByHead extends Heap<BucketQueue> {
    @Override
    boolean before(BucketQueue a, BucketQueue b) {
      return a.head().isBefore(b.head());
    }

    @Override
    int place(BucketQueue line) {
      return line.place;
    }

    @Override
    void place(BucketQueue line, int place) {
      line.place = place;
    }
  }
}
