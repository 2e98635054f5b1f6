package meridian.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import meridian.core.latency.LatencyBreakdown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerTimingTest {

  @Test
  void render_breakdown_hasStagesAndTheirSum() {
    assertThat(ServerTiming.render(new LatencyBreakdown(123_999, 45_000, 0, 1_000_000, 12_007_001)))
        .isEqualTo(
            "network;dur=0.123, data;dur=0.045, queue;dur=0.000, model;dur=1.000,"
                + " service;dur=12.007, total;dur=13.175");
  }

  @Test
  void parse_whatRenderWrote_isTheSameInMicros() {
    LatencyBreakdown latency = new LatencyBreakdown(1_000, 2_000, 3_000, 1_004_000, 5_000);
    assertThat(ServerTiming.parse(ServerTiming.render(latency))).contains(latency);
  }

  @Test
  void parse_foreignEntries_areSkipped() {
    assertThat(ServerTiming.parse("cdn;dur=3, Model ; desc=\"x\" ; dur=1.5,queue,total;dur=2"))
        .contains(new LatencyBreakdown(0, 0, 0, 1_500_000, 500_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        ";",
        "model",
        "model;dur=",
        "model;dur=-1",
        "model;dur=NaN",
        "model;dur=1e9",
        "model;dur=99999999999999999999",
        "x;dur=1"
      })
  void parse_nothingOfOurs_isEmpty(String header) {
    assertThat(ServerTiming.parse(header)).isEmpty();
  }
}
