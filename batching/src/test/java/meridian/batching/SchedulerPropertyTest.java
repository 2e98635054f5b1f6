package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.time.Deadline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random schedules, held against {@link PlainScheduler}. */
class SchedulerPropertyTest {

  private static final int STEPS = 400;

  private final ManualClock clock = new ManualClock();
  private final List<Ticket> expired = new ArrayList<>();
  private final Scheduler scheduler = new Scheduler(1, expired::add);
  private final PlainScheduler plain = new PlainScheduler();
  private final List<WorkQueue> queues =
      List.of(open(8, true, 40), open(5, true, 25), open(4, false, 12));

  static IntStream seeds() {
    return IntStream.range(0, 150);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void scheduler_randomSchedule_agreesWithThePlainOne(int seed) {
    Random random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      step(random);
      assertCounts();
    }
    while (!plain.isEmpty()) {
      take();
      assertCounts();
    }
    assertThat(scheduler.take(0, clock.nanos())).isNull();
    assertThat(scheduler.nextDeadline()).isEqualTo(Deadline.NONE);
    assertThat(scheduler.accounting().queued()).isZero();
  }

  private void step(Random random) {
    switch (random.nextInt(8)) {
      case 0, 1, 2, 3 -> offer(random);
      case 4, 5 -> take();
      case 6 -> cancel(random);
      default -> clock.advance(Duration.ofMillis(random.nextInt(6)));
    }
  }

  private void offer(Random random) {
    WorkQueue queue = queues.get(random.nextInt(queues.size()));
    Ticket ticket = Ticket.of(queue, work(random), clock.nanos(), _ -> {});
    Problem problem = scheduler.offer(ticket, false, clock.nanos());
    List<Ticket> late = plain.expire(clock.nanos());
    ErrorCode expected = plain.offer(ticket, clock.nanos());
    assertThat(expired).containsExactlyInAnyOrderElementsOf(late);
    assertThat(problem == null ? null : problem.code()).isEqualTo(expected);
    expired.clear();
  }

  private void take() {
    List<Ticket> late = plain.expire(clock.nanos());
    List<Ticket> expected = plain.take(clock.nanos());
    Batch batch = scheduler.take(0, clock.nanos());
    assertThat(batch == null ? List.of() : batch.tickets()).isEqualTo(expected);
    assertThat(expired).containsExactlyInAnyOrderElementsOf(late);
    expired.clear();
  }

  private void cancel(Random random) {
    if (plain.everyone().isEmpty()) {
      return;
    }
    Ticket ticket = plain.everyone().get(random.nextInt(plain.everyone().size()));
    assertThat(scheduler.cancel(ticket, clock.nanos())).isEqualTo(plain.cancel(ticket));
  }

  private void assertCounts() {
    assertThat(scheduler.accounting()).matches(Accounting::balances);
    for (WorkQueue queue : queues) {
      assertThat(queue.accounting()).matches(Accounting::balances);
      assertThat(queue.accounting().queued()).isEqualTo(plain.count(queue));
      assertThat(queue.rows()).isEqualTo(plain.slots(queue));
    }
  }

  private Work work(Random random) {
    int rows = random.nextInt(20) == 0 ? 9 : random.nextInt(5);
    Work shape = random.nextInt(3) == 0 ? Requests.wide(3, 1) : Requests.rows(rows);
    Deadline deadline =
        random.nextBoolean()
            ? Deadline.NONE
            : Deadline.after(clock.nanos(), Duration.ofMillis(random.nextInt(40)).toNanos());
    return new Work(
        shape.inputs(),
        shape.rows(),
        shape.outputs(),
        deadline,
        random.nextInt(4),
        new Cancellation());
  }

  private WorkQueue open(int batchRows, boolean mixing, long queueRows) {
    QueueSettings settings =
        new QueueSettings(
            "m", batchRows, mixing, false, Padding.NONE, queueRows, 1_000_000, Long.MAX_VALUE, 2);
    return scheduler.open(settings, new LatencyTable(), (_, _, _) -> List.of(), (_, _, _, _) -> {});
  }
}
