package meridian.batching;

/** The running counts behind {@link Accounting}. */
final class Tally {

  private long offered;
  private long dispatched;
  private long rejected;
  private long expired;
  private long cancelled;

  void add(Event event) {
    count(event, 1);
  }

  /** A request that a lane found to be over before it ran it. */
  void withdraw(Event end) {
    dispatched--;
    count(end, 1);
  }

  private void count(Event event, int change) {
    switch (event) {
      case OFFERED -> offered += change;
      case DISPATCHED -> dispatched += change;
      case REJECTED -> rejected += change;
      case EXPIRED -> expired += change;
      case CANCELLED -> cancelled += change;
    }
  }

  Accounting snapshot(long queued) {
    return new Accounting(offered, dispatched, rejected, expired, cancelled, queued);
  }

  enum Event {
    OFFERED,
    DISPATCHED,
    REJECTED,
    EXPIRED,
    CANCELLED
  }
}
