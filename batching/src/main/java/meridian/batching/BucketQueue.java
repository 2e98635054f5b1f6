package meridian.batching;

import org.jspecify.annotations.Nullable;

/** The requests of one bucket in the order in which they are to run. */
final class BucketQueue {

  private final Bucket bucket;
  private final Heap<Ticket> tickets = new InOrder();
  int place = Heap.ABSENT;

  BucketQueue(Bucket bucket) {
    this.bucket = bucket;
  }

  Bucket bucket() {
    return bucket;
  }

  boolean isEmpty() {
    return tickets.size() == 0;
  }

  @Nullable Ticket first() {
    return tickets.first();
  }

  Ticket head() {
    return tickets.head();
  }

  void add(Ticket ticket) {
    tickets.add(ticket);
    ticket.line = this;
  }

  void remove(Ticket ticket) {
    tickets.remove(ticket);
    ticket.line = null;
  }

  private static final class InOrder extends Heap<Ticket> {
    @Override
    boolean before(Ticket a, Ticket b) {
      return a.isBefore(b);
    }

    @Override
    int place(Ticket ticket) {
      return ticket.placeInLine;
    }

    @Override
    void place(Ticket ticket, int place) {
      ticket.placeInLine = place;
    }
  }
}
