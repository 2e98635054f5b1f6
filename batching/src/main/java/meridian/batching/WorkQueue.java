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
  private final LatencyTable table;
  private final BatchRunner runner;
  private final BatchListener listener;
  private final long number;
  private final Map<Bucket, BucketQueue> lines = new HashMap<>();
  private final Heap<BucketQueue> order = new ByHead();
  private final QueuePlan plan = new QueuePlan(this, order);
  private final Tenants tenants;
  private final Tally tally = new Tally();
  private long rows;
  private long bytes;
  private long count;
  private long workNanos;
  private long servedNanos;
  private boolean mixing;
  private boolean closed;
  int place = Heap.ABSENT;
  int placeInPlan = Heap.ABSENT;

  WorkQueue(
      QueueSettings settings,
      LatencyTable table,
      BatchRunner runner,
      BatchListener listener,
      long number) {
    this.settings = settings;
    this.table = table;
    this.runner = runner;
    this.listener = listener;
    this.number = number;
    this.tenants = new Tenants(settings.maxBatchRows());
    this.mixing = settings.mixing();
  }

  public QueueSettings settings() {
    return settings;
  }

  LatencyTable table() {
    return table;
  }

  BatchRunner runner() {
    return runner;
  }

  BatchListener listener() {
    return listener;
  }

  long number() {
    return number;
  }

  Tally tally() {
    return tally;
  }

  Tenants tenants() {
    return tenants;
  }

  long rows() {
    return rows;
  }

  /** The lane time that what waits takes at most. */
  long workNanos() {
    return workNanos;
  }

  /** The lane time that it had, or was given credit for while nothing waited here. */
  long servedNanos() {
    return servedNanos;
  }

  void served(long moreNanos) {
    servedNanos += moreNanos;
  }

  void creditUpTo(long nanos) {
    servedNanos = Math.max(servedNanos, nanos);
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
    for (int i = 0; i < order.size(); i++) {
      changed(order.element(i));
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** The line whose first ticket is to run next, where one waits. */
  BucketQueue firstLine() {
    return order.head();
  }

  /** The ticket to run next, where one waits. */
  Ticket head() {
    return firstLine().head();
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
  @Nullable Problem overflow(Ticket ticket, Outlook outlook, long nowNanos) {
    if (rows + ticket.slots() > settings.maxQueueRows()) {
      return full("rows", rows, ticket.slots(), settings.maxQueueRows(), outlook, nowNanos);
    }
    if (bytes + ticket.bytes() > settings.maxQueueBytes()) {
      return full("bytes", bytes, ticket.bytes(), settings.maxQueueBytes(), outlook, nowNanos);
    }
    if (workNanos + ticket.aloneNanos > settings.maxQueueNanos()) {
      long most = settings.maxQueueNanos();
      return full("ns of work", workNanos, ticket.aloneNanos, most, outlook, nowNanos);
    }
    return null;
  }

  private Problem full(
      String unit, long queued, long more, long most, Outlook outlook, long nowNanos) {
    return Refusals.queueFull(settings, unit, queued, more, most, outlook.retryAfter(nowNanos));
  }

  BucketQueue add(Ticket ticket) {
    BucketQueue line = lines.computeIfAbsent(ticket.bucket(), BucketQueue::new);
    line.add(ticket);
    tenants.added(ticket);
    rows += ticket.slots();
    bytes += ticket.bytes();
    count++;
    changed(line);
    return line;
  }

  /** False when the ticket does not wait here. */
  boolean remove(Ticket ticket) {
    BucketQueue line = ticket.line;
    if (line == null) {
      return false;
    }
    line.remove(ticket);
    tenants.removed(ticket);
    rows -= ticket.slots();
    bytes -= ticket.bytes();
    count--;
    changed(line);
    return true;
  }

  /** Takes the tickets of the first line's candidate. */
  List<Ticket> takeCandidate(BucketQueue line) {
    int tickets = line.candidate.tickets();
    List<Ticket> batch = new ArrayList<>(tickets);
    for (int i = 0; i < tickets; i++) {
      Ticket ticket = line.head();
      tenants.served(ticket);
      remove(ticket);
      batch.add(ticket);
    }
    return batch;
  }

  /** Keeps the planned batches apart as they are when the ticket leaves. */
  void pinAround(Ticket ticket) {
    BucketQueue line = ticket.line;
    if (line == null || !mixing) {
      return;
    }
    int index = line.indexOf(ticket);
    formPlanned(line, 0);
    while (line.planned.end() <= index) {
      formPlanned(line, line.planned.end());
    }
    if (!line.planned.isLast()) {
      separate(line.get(line.planned.end()), true);
    }
    if (index > 0 && line.planned.first() == ticket && line.planned.tickets() > 1) {
      separate(line.get(index + 1), true);
    }
  }

  /** Plans the ticket, which waits, to begin a batch or to join the one before it. */
  void separate(Ticket ticket, boolean separate) {
    BucketQueue line = ticket.line;
    if (line != null) {
      line.separate(ticket, separate);
      changed(line);
    }
  }

  /** Its batches as planned, to be gone through by one {@link Plan} at a time. */
  QueuePlan plan() {
    return plan;
  }

  void formLargestCandidate(BucketQueue line) {
    line.candidate.formLargest(settings.maxBatchRows(), mixing);
  }

  void formPlanned(BucketQueue line, int first) {
    line.planned.form(first, settings.maxBatchRows(), mixing);
  }

  private void changed(BucketQueue line) {
    if (line.isEmpty()) {
      lines.remove(line.bucket());
    }
    workNanos -= line.workNanos;
    line.estimateWork(settings.maxBatchRows(), mixing);
    workNanos += line.workNanos;
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
