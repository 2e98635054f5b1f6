package meridian.batching;

import static meridian.batching.SchedulerUnderTest.settings;
import static meridian.batching.SchedulerUnderTest.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How batches are chosen and how models and tenants share lanes. */
class SharingTest {

  @RegisterExtension private final SchedulerUnderTest under = new SchedulerUnderTest(1);

  private final WorkQueue fast = under.open(settings(4, true, 10_000, 1_000_000), table(4, 1));
  private final WorkQueue slow = under.open(settings(1, true, 10_000, 1_000_000), table(500, 0));

  @Test
  void take_enoughTime_isTheFullBatch() {
    for (int i = 0; i < 5; i++) {
      under.due(fast, 1, 100);
    }
    assertThat(under.take().tickets()).hasSize(4);
  }

  @Test
  void take_firstIsTight_isTheLargestBatchThatKeepsIt() {
    under.due(fast, 1, 7);
    for (int i = 0; i < 4; i++) {
      under.due(fast, 1, 100);
    }
    assertThat(under.take().tickets()).hasSize(3);
  }

  @Test
  void take_otherModelIsTight_batchLeavesItInTime() {
    under.due(slow, 1, 60_000);
    under.take();
    under.advance(500);
    under.due(fast, 4, 600);
    under.due(slow, 1, 505);
    assertThat(under.take().queue()).isSameAs(slow);
    under.advance(500);
    assertThat(under.take().queue()).isSameAs(fast);
  }

  @Test
  void take_slowBacklogOfOtherModel_fastWaitsForOneRunAtMost() {
    for (int i = 0; i < 20; i++) {
      under.due(slow, 1, 60_000);
    }
    under.take();
    for (int i = 0; i < 10; i++) {
      under.advance(250);
      Ticket ticket = under.due(fast, 1, 60_000);
      under.advance(250);
      assertThat(under.take().tickets()).containsExactly(ticket);
      under.advance(5);
      assertThat(under.take().queue()).isSameAs(slow);
    }
  }

  @Test
  void take_urgentStreamThatLeavesNoRoom_slowIsServedWithinPatience() {
    Ticket waiting = under.queued(slow, Requests.rows(1));
    long start = under.nanos();
    Batch batch;
    do {
      offer("");
      batch = under.take();
      under.advance(8);
    } while (batch.queue() == fast);
    assertThat(batch.tickets()).containsExactly(waiting);
    assertThat(under.nanos() - start).isLessThanOrEqualTo(Scheduler.PATIENCE.toNanos());
  }

  @Test
  void take_queueThatWasIdle_hasNotSavedUp() {
    for (int i = 0; i < 200; i++) {
      under.due(fast, 4, 60_000);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(under.take().queue()).isSameAs(fast);
      under.advance(8);
    }
    under.queued(slow, Requests.rows(1));
    under.queued(slow, Requests.rows(1));
    assertThat(under.take().queue()).isSameAs(slow);
    under.advance(500);
    assertThat(under.take().queue()).isSameAs(fast);
  }

  @Test
  void take_secondTenantBehindABacklog_alternatesByFullBatches() {
    tenants("large", 4);
    tenants("small", 1);
    tenants("large", 36);
    List<Ticket> small = tenants("small", 8);
    List<Ticket> order = under.takeAll();
    assertThat(order.indexOf(small.getLast())).isEqualTo(24);
  }

  @Test
  void take_oneTenantAlone_isServedByDeadlineOnly() {
    for (int i = 0; i < 20; i++) {
      under.due(fast, 1, 60_000);
    }
    Ticket early = under.due(fast, 1, 50_000);
    assertThat(under.take().tickets()).startsWith(early);
  }

  @Test
  void offer_overload_tenantWithinItsShareIsLetIn() {
    int[] small = new int[1];
    int[] large = new int[1];
    for (int i = 0; i < 400; i++) {
      for (int j = 0; j < 20; j++) {
        large[0] += offer("large") ? 1 : 0;
      }
      small[0] += offer("small") ? 1 : 0;
      under.take();
      under.advance(8);
    }
    assertThat(small[0]).isGreaterThan(300);
    assertThat(large[0]).isGreaterThan(900);
  }

  @Test
  void offer_moreTenantsThanKept_areStillServed() {
    for (int i = 0; i < 2 * Tenants.MOST; i++) {
      tenants("tenant " + i, 2);
    }
    assertThat(under.takeAll()).hasSize(4 * Tenants.MOST);
  }

  private List<Ticket> tenants(String name, int count) {
    return Stream.generate(
            () ->
                under.queued(
                    fast, Requests.tenant(Requests.due(Requests.rows(1), under.in(600_000)), name)))
        .limit(count)
        .toList();
  }

  private boolean offer(String tenant) {
    Work work = Requests.tenant(Requests.due(Requests.rows(1), under.in(40)), tenant);
    return under.scheduler().offer(under.ticket(fast, work), false, under.nanos()) == null;
  }
}
