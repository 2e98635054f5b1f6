package meridian.lab.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LinkModelTest {

  private static final long MS = 1_000_000;
  private static final LinkSettings FAR = LinkSettings.NONE.withRtt(Duration.ofMillis(200));

  private final LinkModel model = new LinkModel(1, 0);

  @Test
  void out_noLink_isAtOnce() {
    assertThat(model.outNanos(LinkSettings.NONE, 5 * MS, 1_000)).isEqualTo(5 * MS);
  }

  @Test
  void out_eachWay_takesHalfTheRoundTrip() {
    assertThat(model.outNanos(FAR, 0, 1)).isEqualTo(100 * MS);
  }

  @Test
  void out_bandwidth_bytesQueueUp() {
    LinkSettings slow = FAR.withBytesPerSecond(1_000_000);
    assertThat(model.outNanos(slow, 0, 10_000)).isEqualTo(110 * MS);
    assertThat(model.outNanos(slow, 0, 10_000)).isEqualTo(120 * MS);
    assertThat(model.outNanos(slow, 50 * MS, 10_000)).isEqualTo(160 * MS);
  }

  @Test
  void out_jitter_hasItsMeanAndKeepsTheOrder() {
    LinkSettings shaky = FAR.withJitter(Duration.ofMillis(3));
    double sum = 0;
    long last = 0;
    for (int i = 0; i < 20_000; i++) {
      long now = 1_000 * MS * i;
      long out = model.outNanos(shaky, now, 1);
      sum += out - now - 100 * MS;
      assertThat(out).isGreaterThanOrEqualTo(last);
      last = out;
    }
    assertThat(sum / 20_000).isCloseTo(3 * MS, Percentage.withPercentage(3));

    long early = model.outNanos(shaky, last, 1);
    for (int i = 0; i < 1_000; i++) {
      long next = model.outNanos(shaky, last, 1);
      assertThat(next).isGreaterThanOrEqualTo(early);
      early = next;
    }
  }

  @Test
  void out_loss_holdsBackThatShareForARetransmission() {
    LinkSettings lossy = FAR.withLoss(0.02);
    int late = 0;
    for (int i = 0; i < 50_000; i++) {
      long now = 1_000 * MS * i;
      long nanos = model.outNanos(lossy, now, 1) - now;
      assertThat(nanos).isIn(100 * MS, 500 * MS);
      late += nanos > 100 * MS ? 1 : 0;
    }
    assertThat(late / 50_000.0).isCloseTo(0.02, within(0.002));
  }

  @Test
  void out_sameSeed_isTheSame() {
    LinkSettings any =
        FAR.withJitter(Duration.ofMillis(5)).withLoss(0.1).withBytesPerSecond(50_000);
    LinkModel one = new LinkModel(42, 7);
    LinkModel other = new LinkModel(42, 7);
    for (int i = 0; i < 1_000; i++) {
      assertThat(one.outNanos(any, i * MS, i)).isEqualTo(other.outNanos(any, i * MS, i));
    }
  }

  @Test
  void settings_outOfRange_areRefused() {
    assertThatThrownBy(() -> FAR.withLoss(1))
        .hasMessage("loss: 1.0 (expected: 0 up to, not including, 1)");
    assertThatThrownBy(() -> FAR.withRtt(Duration.ofMillis(-1)))
        .hasMessage("rtt: PT-0.001S (expected: 0 or more)");
    assertThatThrownBy(() -> FAR.withResets(1.1)).hasMessage("resets: 1.1 (expected: 0 to 1)");
    assertThatThrownBy(() -> FAR.withBytesPerSecond(-1))
        .hasMessage("bandwidth: -1 (expected: 0 or more bytes a second)");
  }

  @Test
  void cities_bothDirections_areKnown() {
    Cities cities = Cities.load();
    assertThat(cities.rtt("MNL", "AMS")).isEqualTo(Duration.ofMillis(215));
    assertThat(cities.rtt("AMS", "MNL")).isEqualTo(Duration.ofMillis(215));
    assertThat(cities.rtt("HKG", "SIN")).isEqualTo(Duration.ofMillis(41));
    assertThat(cities.codes()).hasSize(13);
    assertThatThrownBy(() -> cities.rtt("MNL", "XXX"))
        .hasMessageStartingWith("MNL-XXX (expected: two of [AMS, BJS,");
  }
}
