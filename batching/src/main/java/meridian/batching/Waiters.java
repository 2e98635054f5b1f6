package meridian.batching;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.core.infer.Cancellation;

/** Counts who waits for a run, to stop it when nobody does any more. */
final class Waiters {

  private final AtomicInteger left;
  private final Cancellation stop = new Cancellation();

  private Waiters(int count) {
    left = new AtomicInteger(count);
  }

  /** What is cancelled when the requests of all tickets are. */
  static Cancellation of(List<Ticket> tickets) {
    Waiters waiters = new Waiters(tickets.size());
    for (Ticket ticket : tickets) {
      ticket.work().cancellation().onCancel(waiters::leave);
    }
    return waiters.stop;
  }

  private void leave() {
    if (left.decrementAndGet() == 0) {
      stop.cancel();
    }
  }
}
