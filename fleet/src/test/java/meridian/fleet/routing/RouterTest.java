package meridian.fleet.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import meridian.fleet.failure.Breaker;
import meridian.fleet.failure.Failure;
import meridian.fleet.residency.ResidencyClass;
import meridian.fleet.residency.ResidencyPolicy;
import meridian.fleet.residency.ResidencyRule;
import meridian.fleet.routing.Decision.Candidate;
import meridian.fleet.topology.Link;
import meridian.fleet.topology.Region;
import meridian.fleet.topology.Topology;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RouterTest {

  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;
  private static final int MANILA = 0;
  private static final int KUALA_LUMPUR = 1;
  private static final int AMSTERDAM = 2;
  private static final ResidencyClass PUBLIC = new ResidencyClass("public", "ph");
  private static final ResidencyClass EUROPEAN = new ResidencyClass("public", "eu");

  private final Topology world =
      new Topology(
          List.of(
              new Region("manila", "ph"),
              new Region("kuala-lumpur", "my"),
              new Region("amsterdam", "eu")));
  private final ResidencyPolicy policy =
      ResidencyPolicy.of(
          List.of(
              new ResidencyRule("*", "*", Set.copyOf(world.names())),
              new ResidencyRule("*", "eu", Set.of("amsterdam"))),
          world);
  private final List<Link> links = Stream.generate(Link::new).limit(3).toList();
  private final List<Breaker> breakers =
      Stream.generate(() -> new Breaker(SECOND, new SplittableRandom(5))).limit(3).toList();
  private final Router router = new Router(world, links, breakers, policy);
  private final Decision decision = new Decision(world);
  private final SplittableRandom random = new SplittableRandom(6);
  private long now = 100 * SECOND;

  @BeforeEach
  void everyRegionIsIdle() {
    long[] rtt = {10 * MS, 40 * MS, 215 * MS};
    for (int i = 0; i < 3; i++) {
      links.get(i).rtt().record(now, rtt[i]);
      router.set(i, Removal.NONE, 1);
      router.reported(i, now, report(0));
    }
  }

  private static LoadReport report(int inFlight) {
    return new LoadReport(2, inFlight, 100, 20 * MS);
  }

  private int choose(ResidencyClass data, long session, long tried) {
    router.decide(new Query(now, data, 0, session, tried, random.nextLong()), decision);
    return decision.index();
  }

  private int choose() {
    return choose(PUBLIC, Query.NO_SESSION, 0);
  }

  @Test
  void decide_allIdle_isTheNearest() {
    assertThat(choose()).isEqualTo(MANILA);
    assertThat(decision.region().name()).isEqualTo("manila");
    assertThat(decision.reason()).isEqualTo(Reason.HOME);
  }

  @Test
  void decide_everyNumber_isTold() {
    links.get(KUALA_LUMPUR).bandwidth(1_000_000);
    router.pushedBack(AMSTERDAM, now, 3 * SECOND);
    router.reported(MANILA, now, report(12));
    router.decide(new Query(now, PUBLIC, 5_000, Query.NO_SESSION, 0, 0), decision);

    assertThat(decision.candidates().subList(1, 3))
        .containsExactly(
            candidate(KUALA_LUMPUR, 40 * MS, 5 * MS, 0),
            candidate(AMSTERDAM, 215 * MS, 0, 3 * SECOND));
    Candidate busy = decision.candidates().getFirst();
    assertThat(busy.waitNanos()).as("less what is done meanwhile").isBetween(95 * MS, 106 * MS);
    assertThat(busy.scoreNanos()).isEqualTo(30 * MS + busy.waitNanos());
    assertThat(decision.index()).isEqualTo(KUALA_LUMPUR);
    assertThat(decision.reason()).isEqualTo(Reason.SPILL);
  }

  private Candidate candidate(int region, long rtt, long transfer, long penalty) {
    return new Candidate(
        world.regions().get(region), Removal.NONE, rtt, transfer, 0, 20 * MS, penalty);
  }

  @Test
  void decide_dataThatMayNotLeave_staysWhateverItCosts() {
    router.reported(AMSTERDAM, now, report(10_000));
    assertThat(choose(EUROPEAN, Query.NO_SESSION, 0)).isEqualTo(AMSTERDAM);
    router.set(AMSTERDAM, Removal.DOWN, 0);
    assertThat(choose(EUROPEAN, Query.NO_SESSION, 0)).isEqualTo(AMSTERDAM);
    assertThat(decision.reason()).isEqualTo(Reason.PANIC);
    assertThat(choose(EUROPEAN, Query.NO_SESSION, 1 << AMSTERDAM)).isNegative();
    assertThat(decision.reason()).isEqualTo(Reason.NOWHERE);
    assertThat(decision.region()).isNull();
    assertThat(decision.candidates())
        .extracting(Candidate::removed)
        .containsExactly(Removal.RESIDENCY, Removal.RESIDENCY, Removal.TRIED);
  }

  @Test
  void decide_otherData_movesNobodyElsesHome() {
    assertThat(choose()).isEqualTo(MANILA);
    assertThat(choose(EUROPEAN, Query.NO_SESSION, 0)).isEqualTo(AMSTERDAM);
    assertThat(choose(PUBLIC, Query.NO_SESSION, 1 << MANILA)).isEqualTo(KUALA_LUMPUR);
    assertThat(choose()).isEqualTo(MANILA);
    assertThat(decision.reason()).isEqualTo(Reason.HOME);
  }

  @Test
  void decide_crowd_spillsWhatIsTooMuchAndNoMore() {
    int[] sent = new int[3];
    for (int i = 0; i < 500; i++) {
      now += 5 * MS;
      int chosen = choose();
      router.sent(chosen, now);
      sent[chosen]++;
    }
    assertThat(sent[MANILA]).as("of twice what it can").isBetween(250, 270);
    assertThat(sent[KUALA_LUMPUR]).isEqualTo(500 - sent[MANILA]);
  }

  @Test
  void decide_noise_movesNobody() {
    assertThat(choose()).isEqualTo(MANILA);
    for (int i = 0; i < 100; i++) {
      now += 100 * MS;
      reportAll(i % 2 == 0 ? 20 * MS : 56 * MS);
      assertThat(choose()).as("%d", i).isEqualTo(MANILA);
    }
  }

  @Test
  void decide_homeStaysSlow_isLeftWithinASecondAndABit() {
    assertThat(choose()).isEqualTo(MANILA);
    long slowSince = now;
    while (choose() == MANILA) {
      now += 50 * MS;
      reportAll(200 * MS);
    }
    assertThat(choose()).isEqualTo(KUALA_LUMPUR);
    assertThat(now - slowSince).isBetween(600 * MS, 1_200 * MS);
  }

  private void reportAll(long manilaService) {
    router.reported(MANILA, now, new LoadReport(2, 0, 100, manilaService));
    router.reported(KUALA_LUMPUR, now, report(0));
    router.reported(AMSTERDAM, now, report(0));
  }

  @Test
  void decide_regionThatComesBack_getsItsShareOfRequests() {
    router.set(MANILA, Removal.DOWN, 0);
    assertThat(choose()).isEqualTo(KUALA_LUMPUR);
    router.set(MANILA, Removal.NONE, 0.2);

    int back = 0;
    for (int i = 0; i < 10_000; i++) {
      back += choose() == MANILA ? 1 : 0;
    }
    assertThat(back).isBetween(1_800, 2_200);
    assertThat(decision.reason()).isIn(Reason.RETURN, Reason.HOME);
  }

  @Test
  void decide_sessionsAmongEquals_stayAndSpread() {
    links.get(KUALA_LUMPUR).rtt().record(now, 12 * MS);
    Set<Integer> chosen = new HashSet<>();
    for (long session = 1; session <= 100; session++) {
      int first = choose(PUBLIC, session, 0);
      chosen.add(first);
      assertThat(choose(PUBLIC, session, 0)).isEqualTo(first);
    }
    assertThat(chosen).containsExactlyInAnyOrder(MANILA, KUALA_LUMPUR);
  }

  @Test
  void decide_regionOfSomeSessionsGone_movesOnlyThose() {
    links.get(KUALA_LUMPUR).rtt().record(now, 12 * MS);
    links.get(AMSTERDAM).rtt().record(now, 13 * MS);
    int moved = 0;
    for (long session = 1; session <= 300; session++) {
      router.set(AMSTERDAM, Removal.NONE, 1);
      int before = choose(PUBLIC, session, 0);
      router.set(AMSTERDAM, Removal.DOWN, 0);
      int after = choose(PUBLIC, session, 0);
      moved += before != after ? 1 : 0;
      assertThat(before == AMSTERDAM || before == after).isTrue();
    }
    assertThat(moved).isBetween(70, 130);
  }

  @Test
  void failed_threeConnections_nextRequestsGoElsewhere() {
    for (int i = 0; i < 3; i++) {
      router.sent(MANILA, now);
      router.failed(MANILA, now, Failure.CONNECTION);
    }
    assertThat(choose()).isEqualTo(KUALA_LUMPUR);
    assertThat(decision.candidates().getFirst().removed()).isEqualTo(Removal.BREAKER);
  }

  @Test
  void decide_reportsMissing_countsOnlyWhatIsUnderWay() {
    now += 4 * SECOND;
    router.reported(KUALA_LUMPUR, now, report(0));
    for (int i = 0; i < 20; i++) {
      assertThat(choose()).as("%d", i).isEqualTo(MANILA);
      router.sent(MANILA, now);
    }
    assertThat(choose()).isEqualTo(KUALA_LUMPUR);
    assertThat(decision.candidates().getFirst().removed()).isEqualTo(Removal.FULL);
    router.abandoned(MANILA);
    assertThat(choose()).isEqualTo(MANILA);
  }

  @Test
  void decide_nothingReportedAnywhere_closesNothing() {
    Router blind = new Router(world, links, breakers, policy);
    for (int i = 0; i < 3; i++) {
      blind.set(i, Removal.NONE, 1);
      for (int sent = 0; sent < 500; sent++) {
        blind.sent(i, now);
      }
    }
    blind.decide(new Query(now, PUBLIC, 0, Query.NO_SESSION, 0, 0), decision);
    assertThat(decision.index()).isEqualTo(MANILA);
    assertThat(decision.reason()).isEqualTo(Reason.PANIC);
  }

  @Test
  void router_linksOfOtherNumber_areRefused() {
    assertThatThrownBy(() -> new Router(world, links.subList(0, 2), breakers, policy))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("links: 2 (expected: 3, one for each region)");
    assertThatThrownBy(() -> new LoadReport(0, 0, 1, 0))
        .hasMessage("lanes: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> new LoadReport(1, 0, Double.NaN, 0))
        .hasMessage("perSecond: NaN (expected: a number above 0)");
  }

  @Test
  void decide_anyTime_allocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Query query = new Query(now, PUBLIC, 1_000, 77, 0, 5);
    long chosen = 0;
    for (int i = 0; i < 20_000; i++) {
      router.decide(query, decision);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      router.decide(query, decision);
      chosen += decision.index();
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    assertThat(chosen).isZero();
  }
}
