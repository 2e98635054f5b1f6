package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.time.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a queue takes in and what it refuses. */
class AdmissionTest {

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
  void offer_moreRowsThanABatch_isRefusedWithBothNumbers() {
    Problem problem = refusal(queue, Requests.rows(9));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(problem.message()).isEqualTo("inputs: 9 rows (expected: at most 8)");
  }

  @Test
  void offer_rowsBeyondTheBound_isOverloadedWithTheNumbers() {
    WorkQueue small = open(settings(8, true, 10, 1_000_000));
    queued(small, Requests.rows(7));
    Problem problem = refusal(small, Requests.rows(4));
    assertThat(problem.code()).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(problem.message())
        .isEqualTo("queue of \"m\": 7 rows waiting and 4 more (expected: at most 10)");
    assertThat(problem.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    queued(small, Requests.rows(3));
    assertThat(small.rows()).isEqualTo(10);
  }

  @Test
  void offer_bytesBeyondTheBound_isOverloadedWithTheNumbers() {
    WorkQueue small = open(settings(8, true, 100, 10));
    queued(small, Requests.rows(2));
    assertThat(refusal(small, Requests.rows(1)).message())
        .isEqualTo("queue of \"m\": 8 bytes waiting and 4 more (expected: at most 10)");
  }

  @Test
  void offer_requestsWithoutRows_areBoundedToo() {
    WorkQueue small = open(settings(8, true, 2, 1_000_000));
    queued(small, Requests.rows(0));
    queued(small, Requests.rows(0));
    assertThat(refusal(small, Requests.rows(0)).code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  @Test
  void offer_laneFree_isNotHeldAgainstTheBounds() {
    WorkQueue none = open(settings(8, true, 0, 0));
    Ticket ticket = ticket(none, Requests.rows(8));
    assertThat(scheduler.offer(ticket, true, clock.nanos())).isNull();
    assertThat(take().tickets()).containsExactly(ticket);
    assertThat(refusal(none, Requests.rows(1)).code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  @Test
  void offer_fullOfExpired_makesRoom() {
    WorkQueue small = open(settings(8, true, 1, 1_000_000));
    Ticket late = queued(small, Requests.due(Requests.rows(1), in(5)));
    clock.advance(Duration.ofMillis(5));
    Ticket fresh = queued(small, Requests.rows(1));
    assertThat(expired).containsExactly(late);
    assertThat(takeAll()).containsExactly(fresh);
  }

  @Test
  void offer_queueThatEmptiesAtAKnownRate_saysWhenToComeBack() {
    WorkQueue small = open(settings(8, true, 24, 1_000_000));
    for (int i = 0; i < 24; i++) {
      queued(small, Requests.rows(1));
    }
    take();
    clock.advance(Duration.ofMillis(80));
    take();
    for (int i = 0; i < 16; i++) {
      queued(small, Requests.rows(1));
    }
    assertThat(refusal(small, Requests.rows(1)).retryAfter()).isEqualTo(Duration.ofMillis(240));
  }

  @Test
  void offer_deadlinePast_isExceededAndNeverTaken() {
    Problem problem = refusal(queue, Requests.due(Requests.rows(1), in(0)));
    assertThat(problem.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(problem.message())
        .isEqualTo(
            "deadline: passed 0.000 ms ago, after 0.000 ms in the queue (expected: in the future)");
    assertThat(queue.accounting()).isEqualTo(new Accounting(1, 0, 0, 1, 0, 0));
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void offer_cancelled_isNotTakenIn() {
    Work work = Requests.rows(1);
    work.cancellation().cancel();
    assertThat(refusal(queue, work).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(queue.accounting()).isEqualTo(new Accounting(1, 0, 0, 0, 1, 0));
  }

  @Test
  void offer_closedQueue_isUnavailableButWhatWaitsIsTaken() {
    Ticket ticket = queued(queue, Requests.rows(1));
    queue.close();
    assertThat(refusal(queue, Requests.rows(1)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(takeAll()).containsExactly(ticket);
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
}
