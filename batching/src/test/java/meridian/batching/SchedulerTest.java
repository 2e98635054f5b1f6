package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulerTest {

  private static final QueueSettings SETTINGS = settings(8, true, 100, 1_000_000);

  private final ManualClock clock = new ManualClock();
  private final List<Ticket> expired = new ArrayList<>();
  private final Scheduler scheduler = new Scheduler(expired::add);
  private final WorkQueue queue = open(SETTINGS);

  @AfterEach
  void accountingBalances() {
    assertThat(scheduler.accounting()).matches(Accounting::balances);
    assertThat(queue.accounting()).matches(Accounting::balances);
  }

  @Test
  void take_nothingOffered_givesNull() {
    assertThat(scheduler.take(clock.nanos())).isNull();
  }

  @Test
  void take_prioritiesDeadlinesAndArrivals_inThatOrder() {
    WorkQueue alone = open(settings(8, false, 100, 1_000_000));
    Ticket plain = queued(alone, Requests.rows(1));
    Ticket plainLater = queued(alone, Requests.rows(1));
    Ticket late = queued(alone, Requests.due(Requests.rows(1), in(50)));
    Ticket early = queued(alone, Requests.due(Requests.rows(1), in(20)));
    Ticket low = queued(alone, Requests.priority(Requests.due(Requests.rows(1), in(10)), 6));
    Ticket high = queued(alone, Requests.priority(Requests.rows(1), 1));
    assertThat(takeAll()).containsExactly(high, early, late, plain, plainLater, low);
  }

  @Test
  void take_noDeadlineAfterPatience_comesBeforeLaterDeadlines() {
    WorkQueue alone = open(settings(8, false, 100, 1_000_000));
    Ticket plain = queued(alone, Requests.rows(1));
    Ticket later = queued(alone, Requests.due(Requests.rows(1), in(10_001)));
    Ticket earlier = queued(alone, Requests.due(Requests.rows(1), in(9_999)));
    assertThat(takeAll()).containsExactly(earlier, plain, later);
  }

  @Test
  void take_sameBucket_upToMaxBatchRows() {
    List<Ticket> tickets = queuedRows(3, 3, 2, 1);
    assertThat(take().tickets()).isEqualTo(tickets.subList(0, 3));
    assertThat(take().tickets()).isEqualTo(tickets.subList(3, 4));
  }

  @Test
  void take_nextDoesNotFit_smallerOneBehindDoesNotOvertake() {
    List<Ticket> tickets = queuedRows(5, 5, 3);
    assertThat(take().tickets()).isEqualTo(tickets.subList(0, 1));
    assertThat(take().tickets()).isEqualTo(tickets.subList(1, 3));
  }

  @Test
  void take_otherRowShape_isAnotherBatch() {
    Ticket first = queued(queue, Requests.wide(3, 1));
    Ticket other = queued(queue, Requests.wide(4, 1));
    Ticket like = queued(queue, Requests.wide(3, 2));
    assertThat(take().tickets()).containsExactly(first, like);
    assertThat(take().tickets()).containsExactly(other);
  }

  @Test
  void take_inputsInAnotherOrder_isTheSameBatch() {
    Ticket ab = queued(queue, twoInputs("a", "b"));
    Ticket ba = queued(queue, twoInputs("b", "a"));
    Ticket ac = queued(queue, twoInputs("a", "c"));
    assertThat(take().tickets()).containsExactly(ab, ba);
    assertThat(ba.inputs()).extracting(NamedTensor::name).containsExactly("a", "b");
    assertThat(take().tickets()).containsExactly(ac);
  }

  @Test
  void take_queueThatDoesNotMix_givesOneEach() {
    WorkQueue alone = open(settings(8, false, 100, 1_000_000));
    Ticket first = queued(alone, Requests.rows(1));
    Ticket second = queued(alone, Requests.rows(1));
    assertThat(take().tickets()).containsExactly(first);
    assertThat(take().tickets()).containsExactly(second);
  }

  @Test
  void take_requestsWithoutRows_fillABatchByNumber() {
    List<Ticket> tickets = queuedRows(0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(take().tickets()).isEqualTo(tickets.subList(0, 8));
    assertThat(take().tickets()).isEqualTo(tickets.subList(8, 9));
  }

  @Test
  void take_severalQueues_earliestDueFirstWhateverThePriority() {
    WorkQueue other = open(SETTINGS);
    Ticket mine = queued(queue, Requests.priority(Requests.due(Requests.rows(1), in(30)), 1));
    Ticket theirs = queued(other, Requests.priority(Requests.due(Requests.rows(1), in(20)), 5));
    assertThat(takeAll()).containsExactly(theirs, mine);
  }

  @Test
  void take_severalQueuesWithoutDeadlines_oldestArrivalFirst() {
    WorkQueue other = open(SETTINGS);
    Ticket first = queued(other, Requests.rows(1));
    Ticket second = queued(queue, Requests.rows(1));
    Ticket third = queued(other, Requests.wide(2, 1));
    assertThat(takeAll()).containsExactly(first, second, third);
  }

  @Test
  void take_steadyUrgentStreamElsewhere_quietQueueIsServedWithinPatience() {
    WorkQueue busy = open(SETTINGS);
    Ticket quiet = queued(queue, Requests.rows(1));
    long start = clock.nanos();
    Batch batch;
    do {
      queued(busy, Requests.due(Requests.rows(8), in(50)));
      queued(busy, Requests.due(Requests.rows(8), in(50)));
      batch = take();
      clock.advance(Duration.ofMillis(40));
    } while (batch.queue() == busy);
    assertThat(batch.tickets()).containsExactly(quiet);
    assertThat(clock.nanos() - start)
        .isLessThanOrEqualTo(Scheduler.PATIENCE.toNanos() + 40_000_000);
  }

  @Test
  void take_deadlinePassedInTheQueue_givesOnlyTheOthers() {
    Ticket late = queued(queue, Requests.due(Requests.rows(1), in(5)));
    Ticket inTime = queued(queue, Requests.due(Requests.rows(1), in(6)));
    clock.advance(Duration.ofMillis(5));
    assertThat(takeAll()).containsExactly(inTime);
    assertThat(expired).containsExactly(late);
    assertThat(queue.accounting()).isEqualTo(new Accounting(2, 1, 0, 1, 0, 0));
  }

  @Test
  void nextDeadline_isTheEarliestThatWaits() {
    queued(queue, Requests.rows(1));
    assertThat(scheduler.nextDeadline()).isEqualTo(Deadline.NONE);
    Deadline earliest = in(3);
    queued(queue, Requests.priority(Requests.due(Requests.rows(1), in(9)), 1));
    Ticket first = queued(queue, Requests.due(Requests.rows(1), earliest));
    assertThat(scheduler.nextDeadline()).isEqualTo(earliest);
    scheduler.cancel(first);
    assertThat(scheduler.nextDeadline()).isEqualTo(in(9));
  }

  @Test
  void cancel_waiting_leavesAtOnceAndOnlyOnce() {
    List<Ticket> tickets = queuedRows(1, 2, 3);
    assertThat(scheduler.cancel(tickets.get(1))).isTrue();
    assertThat(queue.rows()).isEqualTo(4);
    assertThat(scheduler.cancel(tickets.get(1))).isFalse();
    assertThat(takeAll()).containsExactly(tickets.get(0), tickets.get(2));
    assertThat(queue.accounting()).isEqualTo(new Accounting(3, 2, 0, 0, 1, 0));
  }

  @Test
  void cancel_taken_isTooLate() {
    Ticket ticket = queued(queue, Requests.rows(1));
    take();
    assertThat(scheduler.cancel(ticket)).isFalse();
  }

  @Test
  void separate_mixingQueue_givesOneEachFromThenOn() {
    List<Ticket> tickets = queuedRows(1, 1);
    queue.separate();
    assertThat(take().tickets()).isEqualTo(tickets.subList(0, 1));
  }

  @Test
  void close_waiting_givesAllBackAndRefusesMore() {
    List<Ticket> tickets = queuedRows(1, 2);
    assertThat(scheduler.close()).isEqualTo(tickets);
    assertThat(refusal(queue, Requests.rows(1)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(queue.accounting()).isEqualTo(new Accounting(3, 0, 3, 0, 0, 0));
  }

  @Test
  void ticket_inputWithOtherRowsThanTheWork_throws() {
    Work work = Requests.work(Requests.column(1, 2), 3, Requests.TWICE);
    assertThatThrownBy(() -> ticket(queue, work))
        .hasMessage("inputs[\"x\"].shape: [2,1] (expected: 3 rows)");
  }

  private static QueueSettings settings(int batch, boolean mixing, long rows, long bytes) {
    return new QueueSettings("m", batch, mixing, rows, bytes, 5);
  }

  private WorkQueue open(QueueSettings settings) {
    return scheduler.open(settings, (_, _) -> List.of(), (_, _, _, _) -> {});
  }

  private Deadline in(long millis) {
    return Deadline.after(clock.nanos(), Duration.ofMillis(millis).toNanos());
  }

  private Ticket ticket(WorkQueue queue, Work work) {
    return Ticket.of(queue, work, clock.nanos(), _ -> {});
  }

  private Ticket queued(WorkQueue queue, Work work) {
    Ticket ticket = ticket(queue, work);
    assertThat(scheduler.offer(ticket, false, clock.nanos())).isNull();
    return ticket;
  }

  private List<Ticket> queuedRows(int... rows) {
    List<Ticket> tickets = new ArrayList<>();
    for (int count : rows) {
      tickets.add(queued(queue, Requests.rows(count)));
    }
    return tickets;
  }

  private Problem refusal(WorkQueue queue, Work work) {
    return Objects.requireNonNull(scheduler.offer(ticket(queue, work), false, clock.nanos()));
  }

  private Batch take() {
    return Objects.requireNonNull(scheduler.take(clock.nanos()));
  }

  private List<Ticket> takeAll() {
    List<Ticket> all = new ArrayList<>();
    for (Batch batch = scheduler.take(clock.nanos());
        batch != null;
        batch = scheduler.take(clock.nanos())) {
      all.addAll(batch.tickets());
    }
    return all;
  }

  private static Work twoInputs(String first, String second) {
    Tensor one = Tensor.ofFloats(Shape.of(1, 1), 1);
    return Requests.work(
        List.of(new NamedTensor(first, one), new NamedTensor(second, one)), 1, Requests.TWICE);
  }
}
