package meridian.batching;

import java.util.concurrent.CompletionStage;
import meridian.core.latency.ExecutionTimes;

/** A {@link ModelQueue} on lanes. */
final class LaneQueue implements ModelQueue {

  private final Dispatch dispatch;
  private final WorkQueue queue;
  private final Owed owed = new Owed();

  LaneQueue(Dispatch dispatch, WorkQueue queue) {
    this.dispatch = dispatch;
    this.queue = queue;
  }

  @Override
  public CompletionStage<WorkResult> submit(Work work) {
    Reply reply = new Reply(owed);
    long nowNanos = dispatch.nanos();
    Ticket ticket = Ticket.of(queue, work, nowNanos, reply);
    owed.incur();
    dispatch.submit(ticket, nowNanos);
    return reply;
  }

  @Override
  public int maxBatchRows() {
    return queue.settings().maxBatchRows();
  }

  @Override
  public long depthRows() {
    return dispatch.depthRows(queue);
  }

  @Override
  public ExecutionTimes executionTimes() {
    return dispatch.executionTimes(queue);
  }

  @Override
  public Accounting accounting() {
    return dispatch.accounting(queue);
  }

  @Override
  public CompletionStage<Void> drain() {
    dispatch.closeQueue(queue);
    return owed.close();
  }
}
