package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import meridian.core.infer.Cancellation;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random overload on several lanes and models in virtual time: while executions take no longer than
 * the table says, nobody who was accepted is answered late, whoever comes or goes after.
 */
class PromiseTest {

  private static final int ARRIVALS = 1_500;

  private final ManualClock clock = new ManualClock();
  private final List<Ticket> expired = new ArrayList<>();
  private final List<Ticket> waiting = new ArrayList<>();
  private final List<Run> running = new ArrayList<>();
  private final List<Integer> idle = new ArrayList<>();
  private final List<WorkQueue> queues = new ArrayList<>();
  private Scheduler scheduler = new Scheduler(1, expired::add);
  private Random random = new Random();
  private boolean cancelling;
  private long inTime;
  private long late;

  static IntStream seeds() {
    return IntStream.range(0, 120);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void accepted_tableIsRight_isAlwaysInTime(int seed) {
    run(seed);
    assertThat(late).isZero();
  }

  /** What leaves changes the order of the rest, which the promise does not cover. */
  @ParameterizedTest
  @MethodSource("seeds")
  void accepted_othersAreCancelled_isHardlyEverLate(int seed) {
    cancelling = true;
    run(seed);
    assertThat(late).isLessThanOrEqualTo(2);
    assertThat(scheduler.accounting().cancelled()).isPositive();
  }

  private void run(int seed) {
    random = new Random(seed);
    int lanes = 1 + random.nextInt(3);
    scheduler = new Scheduler(lanes, expired::add);
    IntStream.range(0, lanes).forEach(idle::add);
    queues.add(open(8, true, SchedulerUnderTest.table(3, 0.5)));
    queues.add(open(4, true, SchedulerUnderTest.table(20, 4)));
    queues.add(open(8, false, SchedulerUnderTest.table(2, 0)));
    for (int i = 0; i < ARRIVALS; i++) {
      runUntil(clock.nanos() + (long) (-1.5e6 * Math.log(1 - random.nextDouble())));
      step();
      assertThat(scheduler.accounting()).matches(Accounting::balances);
    }
    while (!running.isEmpty()) {
      endFirst();
    }
    assertThat(scheduler.accounting().queued()).isZero();
    assertThat(inTime).isPositive().isLessThan(ARRIVALS);
  }

  private void step() {
    if (cancelling && random.nextInt(12) == 0 && !waiting.isEmpty()) {
      Ticket ticket = waiting.remove(random.nextInt(waiting.size()));
      assertThat(scheduler.cancel(ticket, clock.nanos())).isTrue();
    } else {
      offer();
    }
  }

  private void offer() {
    WorkQueue queue = queues.get(random.nextInt(queues.size()));
    Ticket ticket = Ticket.of(queue, work(), clock.nanos(), _ -> {});
    if (scheduler.offer(ticket, !idle.isEmpty(), clock.nanos()) == null) {
      waiting.add(ticket);
      if (!idle.isEmpty()) {
        take(idle.removeLast());
      }
    }
    countExpired();
  }

  private void countExpired() {
    late += expired.size();
    waiting.removeAll(expired);
    expired.clear();
  }

  private void take(int lane) {
    Batch batch = scheduler.take(lane, clock.nanos());
    countExpired();
    if (batch == null) {
      idle.add(lane);
      return;
    }
    int slots = batch.tickets().stream().mapToInt(Ticket::slots).sum();
    assertThat(slots).isLessThanOrEqualTo(batch.queue().settings().maxBatchRows());
    waiting.removeAll(batch.tickets());
    long most = batch.queue().table().q99Nanos(Requests.BUCKET, slots);
    long nanos = random.nextBoolean() ? most : (long) (most * random.nextDouble());
    running.add(new Run(lane, clock.nanos() + nanos, batch));
  }

  private void runUntil(long nanos) {
    for (Run first = first(); first != null && first.endNanos - nanos <= 0; first = first()) {
      endFirst();
    }
    clock.advance(Duration.ofNanos(nanos - clock.nanos()));
  }

  private @Nullable Run first() {
    return running.isEmpty() ? null : Collections.min(running);
  }

  private void endFirst() {
    Run run = Collections.min(running);
    running.remove(run);
    clock.advance(Duration.ofNanos(run.endNanos - clock.nanos()));
    for (Ticket ticket : run.batch.tickets()) {
      boolean isLate = ticket.work().deadline().remainingNanos(clock.nanos()) < 0;
      late += isLate ? 1 : 0;
      inTime += isLate ? 0 : 1;
    }
    take(run.lane);
  }

  private Work work() {
    Work shape = Requests.rows(random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 1);
    Deadline deadline =
        random.nextInt(6) == 0
            ? Deadline.NONE
            : Deadline.after(clock.nanos(), Duration.ofMillis(1 + random.nextInt(150)).toNanos());
    return new Work(
        shape.inputs(),
        shape.rows(),
        shape.outputs(),
        deadline,
        random.nextInt(3),
        new Cancellation(),
        random.nextInt(5) == 0 ? "small" : "large");
  }

  private WorkQueue open(int batchRows, boolean mixing, LatencyTable table) {
    QueueSettings settings = SchedulerUnderTest.settings(batchRows, mixing, 500, 1_000_000);
    return scheduler.open(settings, table, (_, _, _) -> List.of(), (_, _, _, _) -> {});
  }

  private record Run(int lane, long endNanos, Batch batch) implements Comparable<Run> {
    @Override
    public int compareTo(Run other) {
      return Long.signum(endNanos - other.endNanos);
    }
  }
}
