package meridian.benchmarks.scheduling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import meridian.batching.Batch;
import meridian.batching.Bucket;
import meridian.batching.LatencyTable;
import meridian.batching.Padding;
import meridian.batching.QueueSettings;
import meridian.batching.Scheduler;
import meridian.batching.Ticket;
import meridian.batching.Work;
import meridian.batching.WorkQueue;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;

/** The scheduler itself. */
final class DeadlineAware implements Policy {

  private static final List<NamedTensor> ROW =
      List.of(new NamedTensor("x", Tensor.ofFloats(Shape.of(1, 1), 0)));
  private static final Bucket BUCKET = Bucket.of(ROW);

  private final Map<Ticket, Request> requests = new HashMap<>();
  private final LatencyTable table = new LatencyTable();
  private final Scheduler scheduler;
  private final WorkQueue queue;

  DeadlineAware(int lanes, int mostRows, Simulation.Service service) {
    for (int rows = 1; rows <= mostRows; rows++) {
      table.record(BUCKET, rows, service.nanos(rows));
    }
    scheduler = new Scheduler(lanes, requests::remove);
    QueueSettings settings =
        new QueueSettings(
            "m", mostRows, true, false, Padding.NONE, 1 << 20, 1 << 30, Long.MAX_VALUE, 1);
    queue = scheduler.open(settings, table, (_, _, _) -> List.of(), (_, _, _, _) -> {});
  }

  @Override
  public boolean arrive(Request request, boolean laneFree, long nowNanos) {
    Deadline deadline = Deadline.at(request.dueNanos());
    Work work = new Work(ROW, 1, Set.of("y"), deadline, 0, new Cancellation());
    Ticket ticket = Ticket.of(queue, work, nowNanos, _ -> {});
    boolean accepted = scheduler.offer(ticket, laneFree, nowNanos) == null;
    if (accepted) {
      requests.put(ticket, request);
    }
    return accepted;
  }

  @Override
  public List<Request> take(int lane, long nowNanos) {
    Batch batch = scheduler.take(lane, nowNanos);
    return batch == null
        ? List.of()
        : batch.tickets().stream()
            .map(ticket -> Objects.requireNonNull(requests.remove(ticket)))
            .toList();
  }

  @Override
  public void executed(int rows, long nanos) {
    table.record(BUCKET, rows, nanos);
  }
}
