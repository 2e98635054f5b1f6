package meridian.batching;

import java.util.concurrent.CompletionStage;

/** A {@link ModelQueue} on lanes. */
final class LaneQueue implements ModelQueue {

  private final Lanes lanes;
  private final WorkQueue queue;
  private final Owed owed = new Owed();

  LaneQueue(Lanes lanes, WorkQueue queue) {
    this.lanes = lanes;
    this.queue = queue;
  }

  @Override
  public CompletionStage<WorkResult> submit(Work work) {
    Reply reply = new Reply(owed);
    long nowNanos = lanes.nanos();
    Ticket ticket = Ticket.of(queue, work, nowNanos, reply);
    owed.incur();
    lanes.submit(ticket, nowNanos);
    return reply;
  }

  @Override
  public long depthRows() {
    return lanes.depthRows(queue);
  }

  @Override
  public Accounting accounting() {
    return lanes.accounting(queue);
  }

  @Override
  public CompletionStage<Void> drain() {
    lanes.closeQueue(queue);
    return owed.close();
  }
}
