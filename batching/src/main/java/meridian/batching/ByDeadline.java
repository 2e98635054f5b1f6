package meridian.batching;

/** The one that is due first. */
final class ByDeadline extends Heap<Ticket> {
  @Override
  boolean before(Ticket a, Ticket b) {
    return a.isDueBefore(b);
  }

  @Override
  int place(Ticket ticket) {
    return ticket.placeByDeadline;
  }

  @Override
  void place(Ticket ticket, int place) {
    ticket.placeByDeadline = place;
  }
}
