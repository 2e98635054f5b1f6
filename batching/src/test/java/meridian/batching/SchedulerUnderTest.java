package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import meridian.core.error.Problem;
import meridian.core.latency.ExecutionTimes;
import meridian.core.time.Deadline;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A scheduler on a clock that stands still, for one test. After it everything offered must be
 * accounted for.
 */
final class SchedulerUnderTest implements AfterEachCallback {

  private final ManualClock clock = new ManualClock();
  private final List<Ticket> expired = new ArrayList<>();
  private final List<WorkQueue> queues = new ArrayList<>();
  private final Scheduler scheduler;

  SchedulerUnderTest(int lanes) {
    scheduler = new Scheduler(lanes, expired::add);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    assertThat(scheduler.accounting()).matches(Accounting::balances);
    for (WorkQueue queue : queues) {
      assertThat(queue.accounting()).matches(Accounting::balances);
    }
  }

  static QueueSettings settings(int batch, boolean mixing, long rows, long bytes) {
    return new QueueSettings(
        "m", batch, mixing, false, Padding.NONE, rows, bytes, Long.MAX_VALUE, 5);
  }

  /** A table in which n rows take {@code baseMillis + n · perRowMillis}. */
  static LatencyTable table(double baseMillis, double perRowMillis) {
    List<ExecutionTimes.Entry> entries = new ArrayList<>();
    for (int rows = 1; rows <= 64; rows++) {
      long nanos = (long) ((baseMillis + rows * perRowMillis) * 1e6);
      entries.add(new ExecutionTimes.Entry(Requests.BUCKET.specs(), rows, nanos, nanos, 100));
    }
    return LatencyTable.of(new ExecutionTimes(entries));
  }

  Scheduler scheduler() {
    return scheduler;
  }

  List<Ticket> expired() {
    return expired;
  }

  WorkQueue open(QueueSettings settings) {
    return open(settings, new LatencyTable());
  }

  WorkQueue open(QueueSettings settings, LatencyTable table) {
    WorkQueue queue = scheduler.open(settings, table, (_, _, _) -> List.of(), (_, _, _, _) -> {});
    queues.add(queue);
    return queue;
  }

  long nanos() {
    return clock.nanos();
  }

  void advance(long millis) {
    clock.advance(Duration.ofMillis(millis));
  }

  Deadline in(long millis) {
    return Deadline.after(clock.nanos(), Duration.ofMillis(millis).toNanos());
  }

  Ticket ticket(WorkQueue queue, Work work) {
    return Ticket.of(queue, work, clock.nanos(), _ -> {});
  }

  Ticket queued(WorkQueue queue, Work work) {
    Ticket ticket = ticket(queue, work);
    assertThat(scheduler.offer(ticket, false, clock.nanos())).isNull();
    return ticket;
  }

  Ticket due(WorkQueue queue, int rows, long millis) {
    return queued(queue, Requests.due(Requests.rows(rows), in(millis)));
  }

  List<Ticket> queuedRows(WorkQueue queue, int... rows) {
    List<Ticket> tickets = new ArrayList<>();
    for (int count : rows) {
      tickets.add(queued(queue, Requests.rows(count)));
    }
    return tickets;
  }

  Problem refusal(WorkQueue queue, Work work) {
    return Objects.requireNonNull(scheduler.offer(ticket(queue, work), false, clock.nanos()));
  }

  /** What lane 0 gets. */
  Batch take() {
    return take(0);
  }

  Batch take(int lane) {
    return Objects.requireNonNull(scheduler.take(lane, clock.nanos()));
  }

  List<Ticket> takeAll() {
    List<Ticket> all = new ArrayList<>();
    for (Batch batch = scheduler.take(0, clock.nanos());
        batch != null;
        batch = scheduler.take(0, clock.nanos())) {
      all.addAll(batch.tickets());
    }
    return all;
  }
}
