package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import meridian.serving.ServerSettings.Bodies;
import meridian.serving.ServerSettings.Connections;
import meridian.serving.ServerSettings.Grpc;
import meridian.serving.ServerSettings.Listen;
import meridian.serving.ServerSettings.Observability;
import meridian.serving.ServerSettings.Shutdown;
import meridian.serving.ServerSettings.Threads;
import meridian.serving.ServerSettings.Timeouts;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {

  @Test
  void defaults_all_arePinned() {
    assertThat(ServerSettings.defaults())
        .isEqualTo(
            new ServerSettings(
                new Listen("0.0.0.0", 8080),
                new Listen("127.0.0.1", 8081),
                "",
                new Bodies(67_108_864, 67_108_864, 250, 65_536, 1_024),
                new Grpc(67_108_864, 67_108_864, 64, Duration.ofSeconds(1)),
                new Timeouts(
                    Duration.ofSeconds(30), Duration.ofMinutes(10), Duration.ofSeconds(60)),
                new Connections(
                    65_536, 8_192, 16_384, 1_000, 100_000, Duration.ofSeconds(30), 4_096, false),
                new Threads(0, 0, 1_024),
                new Shutdown(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(1)),
                new Observability(false, null, 1.0)));
  }

  private static ServerSettings inRegion(String region) {
    ServerSettings defaults = ServerSettings.defaults();
    return new ServerSettings(
        defaults.inference(),
        defaults.administration(),
        region,
        defaults.bodies(),
        defaults.grpc(),
        defaults.timeouts(),
        defaults.connections(),
        defaults.threads(),
        defaults.shutdown(),
        defaults.observability());
  }

  @Test
  void settings_outOfRange_nameTheKey() {
    assertThatThrownBy(() -> new Listen("127.0.0.1", 65_536))
        .hasMessage("port: 65536 (expected: 0 to 65535)");
    assertThatThrownBy(() -> new Bodies(0, 1, 1, 1, 1))
        .hasMessage("bodies.maxBytes: 0 (expected: 1 to 1073741824)");
    assertThatThrownBy(() -> new Timeouts(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(1)))
        .hasMessage("timeouts.read: PT0S (expected: above 0)");
    assertThatThrownBy(() -> inRegion("man\nila"))
        .hasMessageStartingWith("region: \"man?ila\" (expected: nothing, or 1 to 128 of A-Z");
    assertThatThrownBy(() -> inRegion("m\u00fcnchen")).hasMessageStartingWith("region: ");
    assertThatThrownBy(() -> new Observability(false, null, Double.NaN))
        .hasMessage("observability.sampledShare: NaN (expected: 0 to 1)");
  }
}
