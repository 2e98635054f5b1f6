package meridian.fleet.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class BacklogTest {

  private static final long MS = 1_000_000;

  private final Backlog backlog = new Backlog();
  private long now = -30 * MS;

  @Test
  void requests_sentBeforeAnyReport_areCounted() {
    send(5);
    assertThat(backlog.requests(now)).isEqualTo(5);
  }

  @Test
  void correct_whatWasUnderWayDuringTheReport_isAddedToIt() {
    correct(100 * MS, 0, 100);
    send(3);
    now += 60 * MS;
    send(4);
    now += 20 * MS;
    correct(30 * MS, 10, 0.001);

    assertThat(backlog.requests(now)).as("10, and 4 that it cannot know").isCloseTo(14, within(.1));
  }

  @Test
  void correct_longRoundTrip_knowsAllOfIt() {
    correct(10 * MS, 0, 0.001);
    for (int i = 0; i < 20; i++) {
      now += 10 * MS;
      send(1);
    }
    now += 10 * MS;
    correct(300 * MS, 0, 0.001);
    assertThat(backlog.requests(now)).isCloseTo(20, within(.1));
  }

  @Test
  void requests_timePasses_areAnswered() {
    correct(MS, 50, 1_000);
    now += 20 * MS;
    assertThat(backlog.requests(now)).isCloseTo(50 - 1 - 20, within(1e-3));
    now += 100 * MS;
    assertThat(backlog.requests(now)).isZero();
    send(1);
    assertThat(backlog.requests(now)).isEqualTo(1);
  }

  @Test
  void correct_waterThatCameLate_isNotDrainedByTheTimeBeforeIt() {
    correct(MS, 0, 1_000);
    now += 200 * MS;
    send(30);
    now += 4 * MS;
    correct(200 * MS, 0, 1_000);
    assertThat(backlog.requests(now)).isBetween(25.0, 30.0);
  }

  @Test
  void send_idleForAnHour_forgetsWhatWasSent() {
    send(100);
    now += 3_600_000 * MS;
    correct(200 * MS, 2, 0.001);
    assertThat(backlog.requests(now)).isCloseTo(2, within(.01));
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      backlog.send(now);
    }
  }

  private void correct(long rtt, int inFlight, double perSecond) {
    backlog.correct(now, rtt, new LoadReport(1, inFlight, perSecond, MS));
  }
}
