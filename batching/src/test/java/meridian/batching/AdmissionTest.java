package meridian.batching;

import static meridian.batching.SchedulerUnderTest.settings;
import static meridian.batching.SchedulerUnderTest.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a queue takes in and what it refuses. */
class AdmissionTest {

  private static final QueueSettings SETTINGS = settings(8, true, 100, 1_000_000);

  @RegisterExtension private final SchedulerUnderTest under = new SchedulerUnderTest(1);

  private final WorkQueue queue = under.open(SETTINGS);

  @Test
  void offer_moreRowsThanABatch_isRefusedWithBothNumbers() {
    Problem problem = under.refusal(queue, Requests.rows(9));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(problem.message()).isEqualTo("inputs: 9 rows (expected: at most 8)");
  }

  @Test
  void offer_rowsBeyondTheBound_isOverloadedWithTheNumbers() {
    WorkQueue small = under.open(settings(8, true, 10, 1_000_000));
    under.queued(small, Requests.rows(7));
    Problem problem = under.refusal(small, Requests.rows(4));
    assertThat(problem.code()).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(problem.message())
        .isEqualTo("queue of \"m\": 7 rows waiting and 4 more (expected: at most 10)");
    assertThat(problem.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    under.queued(small, Requests.rows(3));
    assertThat(small.rows()).isEqualTo(10);
  }

  @Test
  void offer_bytesBeyondTheBound_isOverloadedWithTheNumbers() {
    WorkQueue small = under.open(settings(8, true, 100, 10));
    under.queued(small, Requests.rows(2));
    assertThat(under.refusal(small, Requests.rows(1)).message())
        .isEqualTo("queue of \"m\": 8 bytes waiting and 4 more (expected: at most 10)");
  }

  @Test
  void offer_requestsWithoutRows_areBoundedToo() {
    WorkQueue small = under.open(settings(8, true, 2, 1_000_000));
    under.queued(small, Requests.rows(0));
    under.queued(small, Requests.rows(0));
    assertThat(under.refusal(small, Requests.rows(0)).code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  @Test
  void offer_laneFree_isNotHeldAgainstTheBounds() {
    WorkQueue none = under.open(settings(8, true, 0, 0));
    Ticket ticket = under.ticket(none, Requests.rows(8));
    assertThat(under.scheduler().offer(ticket, true, under.nanos())).isNull();
    assertThat(under.take().tickets()).containsExactly(ticket);
    assertThat(under.refusal(none, Requests.rows(1)).code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  @Test
  void offer_tableSpoiledByASlowSpell_aFreeLaneTakesWhatIsLikelyInTimeAndTheTableMends() {
    LatencyTable table = table(0, 10);
    for (int i = 0; i < 100; i++) {
      table.record(Requests.BUCKET, 1, i % 4 == 0 ? 200_000_000 : 10_000_000);
    }
    assertThat(table.q99Nanos(Requests.BUCKET, 1)).isGreaterThan(50_000_000);
    WorkQueue spoiled = under.open(settings(8, true, 100, 1_000_000), table);
    Work due = Requests.due(Requests.rows(1), under.in(50));

    assertThat(under.refusal(spoiled, due).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    Ticket ticket = under.ticket(spoiled, due);
    assertThat(under.scheduler().offer(ticket, true, under.nanos())).isNull();
    assertThat(under.take().tickets()).containsExactly(ticket);
    Ticket hopeless = under.ticket(spoiled, Requests.due(Requests.rows(1), under.in(5)));
    assertThat(under.scheduler().offer(hopeless, true, under.nanos()).code())
        .isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    for (int i = 0; i < 3_000; i++) {
      table.record(Requests.BUCKET, 1, 10_000_000);
    }
    assertThat(table.q99Nanos(Requests.BUCKET, 1)).isLessThan(50_000_000);
  }

  @Test
  void offer_fullOfExpired_makesRoom() {
    WorkQueue small = under.open(settings(8, true, 1, 1_000_000));
    Ticket late = under.queued(small, Requests.due(Requests.rows(1), under.in(5)));
    under.advance(5);
    Ticket fresh = under.queued(small, Requests.rows(1));
    assertThat(under.expired()).containsExactly(late);
    assertThat(under.takeAll()).containsExactly(fresh);
  }

  @Test
  void offer_fullQueueWithAKnownModel_saysWhenItWillBeEmpty() {
    WorkQueue small = under.open(settings(8, true, 24, 1_000_000), table(16, 8));
    under.queuedRows(small, 1, 1, 1, 1, 1, 1, 1, 1);
    under.take();
    under.advance(30);
    under.queuedRows(small, 8, 8, 8);
    assertThat(under.refusal(small, Requests.rows(1)).retryAfter())
        .isEqualTo(Duration.ofMillis(50 + 3 * 80));
  }

  @Test
  void offer_moreWorkThanTheBound_isOverloadedWithTheNumbers() {
    QueueSettings settings =
        new QueueSettings("m", 8, true, false, Padding.NONE, 100, 1_000_000, 20_000_000, 5);
    WorkQueue small = under.open(settings, table(4, 1));
    under.queued(small, Requests.rows(8));
    under.queued(small, Requests.rows(1));
    assertThat(under.refusal(small, Requests.rows(1)).message())
        .isEqualTo(
            "queue of \"m\": 17000000 ns of work waiting and 5000000 more"
                + " (expected: at most 20000000)");
  }

  @Test
  void offer_deadlineBelowTheRunItself_isExceededAtOnce() {
    WorkQueue known = under.open(SETTINGS, table(4, 1));
    Problem problem = under.refusal(known, Requests.due(Requests.rows(2), under.in(5)));
    assertThat(problem.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(problem.message())
        .isEqualTo(
            "deadline: in 5.000 ms (expected: 6.000 ms or more, what the model takes without any"
                + " wait)");
    assertThat(problem.retryAfter()).isNull();
    under.due(known, 2, 6);
    assertThat(known.accounting()).isEqualTo(new Accounting(2, 0, 1, 0, 0, 1));
  }

  @Test
  void offer_deadlineBehindTheRunningBatch_isOverloadedWithTheTimeMissing() {
    WorkQueue known = under.open(SETTINGS, table(4, 1));
    under.queued(known, Requests.rows(8));
    under.take();
    under.advance(2);
    Problem problem = under.refusal(known, Requests.due(Requests.rows(1), under.in(14)));
    assertThat(problem.code()).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(problem.message())
        .isEqualTo(
            "queue of \"m\": with this request an answer would be 1.000 ms late (expected: in"
                + " time)");
    assertThat(problem.retryAfter()).isEqualTo(Duration.ofMillis(1));
    under.due(known, 1, 15);
  }

  @Test
  void offer_predictedEndOfARunPassed_countsTheLaneAsFree() {
    WorkQueue known = under.open(SETTINGS, table(4, 1));
    under.queued(known, Requests.rows(8));
    under.take();
    under.advance(500);
    under.due(known, 1, 5);
  }

  @Test
  void offer_earlierDeadline_isRefusedWhenItWouldMakeAnAcceptedOneLate() {
    WorkQueue known = under.open(settings(1, true, 100, 1_000_000), table(4, 1));
    Ticket accepted = under.due(known, 1, 9);
    assertThat(under.refusal(known, Requests.due(Requests.rows(1), under.in(6))).code())
        .isEqualTo(ErrorCode.OVERLOADED);
    Work higher = Requests.priority(Requests.due(Requests.rows(1), under.in(9)), 1);
    assertThat(under.refusal(known, higher).code()).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(under.takeAll()).containsExactly(accepted);
  }

  @Test
  void offer_wouldMakeTheBatchTooLong_waitsForTheNextBatch() {
    WorkQueue known = under.open(SETTINGS, table(4, 1));
    Ticket tight = under.due(known, 1, 5);
    Ticket loose = under.due(known, 1, 10);
    assertThat(under.refusal(known, Requests.due(Requests.rows(1), under.in(10))).code())
        .isEqualTo(ErrorCode.OVERLOADED);
    assertThat(under.take().tickets()).containsExactly(tight);
    assertThat(under.take().tickets()).containsExactly(loose);
  }

  @Test
  void offer_tableThatRefusesEverything_isPutToTheTestOnceASecond() {
    WorkQueue wrong = under.open(SETTINGS, table(1_000, 0));
    assertThat(offerToFreeLane(wrong, 50)).isNotNull();
    under.advance(19_999);
    assertThat(offerToFreeLane(wrong, 50)).isNotNull();
    under.advance(1);
    assertThat(offerToFreeLane(wrong, 50)).isNull();
    under.take();
    assertThat(offerToFreeLane(wrong, 50)).isNotNull();
  }

  private @Nullable Problem offerToFreeLane(WorkQueue queue, long millis) {
    Work work = Requests.due(Requests.rows(1), under.in(millis));
    return under.scheduler().offer(under.ticket(queue, work), true, under.nanos());
  }

  @Test
  void offer_deadlinePast_isExceededAndNeverTaken() {
    Problem problem = under.refusal(queue, Requests.due(Requests.rows(1), under.in(0)));
    assertThat(problem.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    assertThat(problem.message())
        .isEqualTo(
            "deadline: passed 0.000 ms ago, after 0.000 ms in the queue (expected: in the future)");
    assertThat(queue.accounting()).isEqualTo(new Accounting(1, 0, 0, 1, 0, 0));
    assertThat(under.takeAll()).isEmpty();
  }

  @Test
  void offer_cancelled_isNotTakenIn() {
    Work work = Requests.rows(1);
    work.cancellation().cancel();
    assertThat(under.refusal(queue, work).code()).isEqualTo(ErrorCode.CANCELLED);
    assertThat(queue.accounting()).isEqualTo(new Accounting(1, 0, 0, 0, 1, 0));
  }

  @Test
  void offer_closedQueue_isUnavailableButWhatWaitsIsTaken() {
    Ticket ticket = under.queued(queue, Requests.rows(1));
    queue.close();
    assertThat(under.refusal(queue, Requests.rows(1)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(under.takeAll()).containsExactly(ticket);
  }
}
