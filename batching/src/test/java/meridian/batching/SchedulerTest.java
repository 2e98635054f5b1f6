package meridian.batching;

import static meridian.batching.SchedulerUnderTest.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchedulerTest {

  private static final QueueSettings SETTINGS = settings(8, true, 100, 1_000_000);

  @RegisterExtension private final SchedulerUnderTest under = new SchedulerUnderTest(1);

  private final WorkQueue queue = under.open(SETTINGS);

  @Test
  void take_nothingOffered_givesNull() {
    assertThat(under.scheduler().take(0, under.nanos())).isNull();
  }

  @Test
  void take_prioritiesDeadlinesAndArrivals_inThatOrder() {
    WorkQueue alone = under.open(settings(8, false, 100, 1_000_000));
    Ticket plain = under.queued(alone, Requests.rows(1));
    Ticket plainLater = under.queued(alone, Requests.rows(1));
    Ticket late = under.queued(alone, Requests.due(Requests.rows(1), under.in(50)));
    Ticket early = under.queued(alone, Requests.due(Requests.rows(1), under.in(20)));
    Ticket low =
        under.queued(alone, Requests.priority(Requests.due(Requests.rows(1), under.in(10)), 6));
    Ticket high = under.queued(alone, Requests.priority(Requests.rows(1), 1));
    assertThat(under.takeAll()).containsExactly(high, early, late, plain, plainLater, low);
  }

  @Test
  void take_noDeadlineAfterPatience_comesBeforeLaterDeadlines() {
    WorkQueue alone = under.open(settings(8, false, 100, 1_000_000));
    Ticket plain = under.queued(alone, Requests.rows(1));
    Ticket later = under.queued(alone, Requests.due(Requests.rows(1), under.in(10_001)));
    Ticket earlier = under.queued(alone, Requests.due(Requests.rows(1), under.in(9_999)));
    assertThat(under.takeAll()).containsExactly(earlier, plain, later);
  }

  @Test
  void take_sameBucket_upToMaxBatchRows() {
    List<Ticket> tickets = under.queuedRows(queue, 3, 3, 2, 1);
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(0, 3));
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(3, 4));
  }

  @Test
  void take_nextDoesNotFit_smallerOneBehindDoesNotOvertake() {
    List<Ticket> tickets = under.queuedRows(queue, 5, 5, 3);
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(0, 1));
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(1, 3));
  }

  @Test
  void take_otherRowShape_isAnotherBatch() {
    Ticket first = under.queued(queue, Requests.wide(3, 1));
    Ticket other = under.queued(queue, Requests.wide(4, 1));
    Ticket like = under.queued(queue, Requests.wide(3, 2));
    assertThat(under.take().tickets()).containsExactly(first, like);
    assertThat(under.take().tickets()).containsExactly(other);
  }

  @Test
  void take_inputsInAnotherOrder_isTheSameBatch() {
    Ticket ab = under.queued(queue, twoInputs("a", "b"));
    Ticket ba = under.queued(queue, twoInputs("b", "a"));
    Ticket ac = under.queued(queue, twoInputs("a", "c"));
    assertThat(under.take().tickets()).containsExactly(ab, ba);
    assertThat(ba.inputs()).extracting(NamedTensor::name).containsExactly("a", "b");
    assertThat(under.take().tickets()).containsExactly(ac);
  }

  @Test
  void take_queueThatDoesNotMix_givesOneEach() {
    WorkQueue alone = under.open(settings(8, false, 100, 1_000_000));
    Ticket first = under.queued(alone, Requests.rows(1));
    Ticket second = under.queued(alone, Requests.rows(1));
    assertThat(under.take().tickets()).containsExactly(first);
    assertThat(under.take().tickets()).containsExactly(second);
  }

  @Test
  void take_requestsWithoutRows_fillABatchByNumber() {
    List<Ticket> tickets = under.queuedRows(queue, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(0, 8));
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(8, 9));
  }

  @Test
  void take_severalQueues_earliestDueFirstWhateverThePriority() {
    WorkQueue other = under.open(SETTINGS);
    Ticket mine =
        under.queued(queue, Requests.priority(Requests.due(Requests.rows(1), under.in(30)), 1));
    Ticket theirs =
        under.queued(other, Requests.priority(Requests.due(Requests.rows(1), under.in(20)), 5));
    assertThat(under.takeAll()).containsExactly(theirs, mine);
  }

  @Test
  void take_severalQueuesWithoutDeadlines_oldestArrivalFirst() {
    WorkQueue other = under.open(SETTINGS);
    Ticket first = under.queued(other, Requests.rows(1));
    Ticket second = under.queued(queue, Requests.rows(1));
    Ticket third = under.queued(other, Requests.wide(2, 1));
    assertThat(under.takeAll()).containsExactly(first, second, third);
  }

  @Test
  void take_steadyUrgentStreamElsewhere_quietQueueIsServedWithinPatience() {
    WorkQueue busy = under.open(SETTINGS);
    Ticket quiet = under.queued(queue, Requests.rows(1));
    long start = under.nanos();
    Batch batch;
    do {
      under.queued(busy, Requests.due(Requests.rows(8), under.in(50)));
      under.queued(busy, Requests.due(Requests.rows(8), under.in(50)));
      batch = under.take();
      under.advance(40);
    } while (batch.queue() == busy);
    assertThat(batch.tickets()).containsExactly(quiet);
    assertThat(under.nanos() - start)
        .isLessThanOrEqualTo(Scheduler.PATIENCE.toNanos() + 40_000_000);
  }

  @Test
  void take_deadlinePassedInTheQueue_givesOnlyTheOthers() {
    Ticket late = under.queued(queue, Requests.due(Requests.rows(1), under.in(5)));
    Ticket inTime = under.queued(queue, Requests.due(Requests.rows(1), under.in(6)));
    under.advance(5);
    assertThat(under.takeAll()).containsExactly(inTime);
    assertThat(under.expired()).containsExactly(late);
    assertThat(queue.accounting()).isEqualTo(new Accounting(2, 1, 0, 1, 0, 0));
  }

  @Test
  void nextDeadline_isTheEarliestThatWaits() {
    under.queued(queue, Requests.rows(1));
    assertThat(under.scheduler().nextDeadline()).isEqualTo(Deadline.NONE);
    Deadline earliest = under.in(3);
    under.queued(queue, Requests.priority(Requests.due(Requests.rows(1), under.in(9)), 1));
    Ticket first = under.queued(queue, Requests.due(Requests.rows(1), earliest));
    assertThat(under.scheduler().nextDeadline()).isEqualTo(earliest);
    under.scheduler().cancel(first, under.nanos());
    assertThat(under.scheduler().nextDeadline()).isEqualTo(under.in(9));
  }

  @Test
  void cancel_waiting_leavesAtOnceAndOnlyOnce() {
    List<Ticket> tickets = under.queuedRows(queue, 1, 2, 3);
    assertThat(under.scheduler().cancel(tickets.get(1), under.nanos())).isTrue();
    assertThat(queue.rows()).isEqualTo(4);
    assertThat(under.scheduler().cancel(tickets.get(1), under.nanos())).isFalse();
    assertThat(under.takeAll()).containsExactly(tickets.get(0), tickets.get(2));
    assertThat(queue.accounting()).isEqualTo(new Accounting(3, 2, 0, 0, 1, 0));
  }

  @Test
  void cancel_taken_isTooLate() {
    Ticket ticket = under.queued(queue, Requests.rows(1));
    under.take();
    assertThat(under.scheduler().cancel(ticket, under.nanos())).isFalse();
  }

  @Test
  void separate_mixingQueue_givesOneEachFromThenOn() {
    List<Ticket> tickets = under.queuedRows(queue, 1, 1);
    queue.separate();
    assertThat(under.take().tickets()).isEqualTo(tickets.subList(0, 1));
  }

  @Test
  void close_waiting_givesAllBackAndRefusesMore() {
    List<Ticket> tickets = under.queuedRows(queue, 1, 2);
    assertThat(under.scheduler().close()).isEqualTo(tickets);
    assertThat(under.refusal(queue, Requests.rows(1)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(queue.accounting()).isEqualTo(new Accounting(3, 0, 3, 0, 0, 0));
  }

  @Test
  void ticket_inputWithOtherRowsThanTheWork_throws() {
    Work work = Requests.work(Requests.column(1, 2), 3, Requests.TWICE);
    assertThatThrownBy(() -> under.ticket(queue, work))
        .hasMessage("inputs[\"x\"].shape: [2,1] (expected: 3 rows)");
  }

  private static Work twoInputs(String first, String second) {
    Tensor one = Tensor.ofFloats(Shape.of(1, 1), 1);
    return Requests.work(
        List.of(new NamedTensor(first, one), new NamedTensor(second, one)), 1, Requests.TWICE);
  }
}
