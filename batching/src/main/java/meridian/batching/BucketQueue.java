package meridian.batching;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one bucket, sorted in the order in which they are to run. An array, because a
 * plan walks along it; requests come mostly at the end and go at the front, which moves nothing.
 */
final class BucketQueue {

  private final Bucket bucket;
  private @Nullable Ticket[] tickets = new @Nullable Ticket[8];
  private int from;
  private int to;
  private long slots;
  private long aloneNanos;
  private int mostSlots;
  private int breaks;
  int place = Heap.ABSENT;

  /** The batch that a {@link Plan} is at. */
  final PlannedBatch planned = new PlannedBatch(this);

  /** The batch that a lane might run now. */
  final PlannedBatch candidate = new PlannedBatch(this);

  int placeInPlan = Heap.ABSENT;

  /** What its requests take at most in all. */
  long workNanos;

  BucketQueue(Bucket bucket) {
    this.bucket = bucket;
  }

  Bucket bucket() {
    return bucket;
  }

  boolean isEmpty() {
    return from == to;
  }

  int size() {
    return to - from;
  }

  @SuppressWarnings("NullAway") // between from and to there are only tickets
  Ticket get(int index) {
    return tickets[from + index];
  }

  Ticket head() {
    if (isEmpty()) {
      throw new IllegalStateException("tickets: none (expected: 1 or more)");
    }
    return get(0);
  }

  void add(Ticket ticket) {
    makeRoom();
    int index = indexOf(ticket);
    System.arraycopy(tickets, from + index, tickets, from + index + 1, size() - index);
    tickets[from + index] = ticket;
    to++;
    ticket.line = this;
    slots += ticket.slots();
    aloneNanos += ticket.aloneNanos;
    mostSlots = Math.max(mostSlots, ticket.slots());
  }

  void remove(Ticket ticket) {
    ticket.line = null;
    slots -= ticket.slots();
    aloneNanos -= ticket.aloneNanos;
    separate(ticket, false);
    int index = indexOf(ticket);
    if (index == 0) {
      tickets[from++] = null;
    } else {
      System.arraycopy(tickets, from + index + 1, tickets, from + index, size() - index - 1);
      tickets[--to] = null;
    }
  }

  /** Where the ticket is, or would be. */
  int indexOf(Ticket ticket) {
    if (isEmpty() || get(size() - 1).isBefore(ticket)) {
      return size();
    }
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).isBefore(ticket)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the ticket is planned to begin a batch although it would fit into the one before. */
  void separate(Ticket ticket, boolean separate) {
    if (ticket.beginsBatch != separate) {
      ticket.beginsBatch = separate;
      breaks += separate ? 1 : -1;
    }
  }

  /**
   * Counts anew what its requests take at most. Of batches that are filled in order each but the
   * last is too full for the request behind it, unless that begins one of its own.
   */
  void estimateWork(int mostRows, boolean mixing) {
    workNanos = aloneNanos;
    if (mixing && !isEmpty()) {
      long batches = slots / Math.max(1, mostRows - mostSlots + 1) + 1 + breaks;
      workNanos = Math.min(workNanos, batches * head().curve().q99Nanos(mostRows));
    }
  }

  private void makeRoom() {
    if (to < tickets.length) {
      return;
    }
    int size = size();
    @Nullable Ticket[] roomy =
        2 * size < tickets.length ? tickets : Arrays.copyOf(tickets, 2 * tickets.length);
    System.arraycopy(tickets, from, roomy, 0, size);
    Arrays.fill(roomy, size, to, null);
    tickets = roomy;
    from = 0;
    to = size;
  }
}
