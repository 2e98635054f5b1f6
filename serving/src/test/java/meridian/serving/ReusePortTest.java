package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import meridian.serving.ServerSettings.Connections;
import meridian.serving.ServerSettings.Listen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ReusePortTest {

  private static Running running(int port, boolean reuse) {
    return Running.start(
        s ->
            new ServerSettings(
                new Listen("127.0.0.1", port),
                s.administration(),
                s.region(),
                s.bodies(),
                s.grpc(),
                s.timeouts(),
                reusing(s.connections(), reuse),
                s.threads(),
                s.shutdown(),
                s.observability()));
  }

  private static Connections reusing(Connections c, boolean reuse) {
    return new Connections(
        c.max(),
        c.maxLineBytes(),
        c.maxHeaderBytes(),
        c.maxStreams(),
        c.maxResets(),
        c.resetWindow(),
        c.backlog(),
        reuse);
  }

  private static void inferOnce(Running running) throws Exception {
    String request = DepartureTest.post("/v2/models/echo/infer", Running.ECHO);
    try (Socket socket = running.raw(request)) {
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 200");
    }
  }

  /** The kernel spreads connections by their addresses, so both get some before long. */
  @Test
  void onePort_twoServers_bothServe() throws Exception {
    try (Running one = running(0, true);
        Running other = running(one.server.inferenceUri().getPort(), true)) {
      for (int i = 0; i < 500 && (served(one) == 0 || served(other) == 0); i++) {
        inferOnce(one);
      }
      assertThat(served(one)).isPositive();
      assertThat(served(other)).isPositive();
    }
  }

  @Test
  void onePort_firstServerStops_theOtherServesAll() throws Exception {
    Running one = running(0, true);
    try (Running other = running(one.server.inferenceUri().getPort(), true)) {
      one.close();
      int before = served(other);
      for (int i = 0; i < 20; i++) {
        inferOnce(other);
      }
      assertThat(served(other) - before).isEqualTo(20);
    }
  }

  @Test
  void onePort_notAskedFor_cannotBeHadTwice() {
    try (Running one = running(0, false)) {
      int port = one.server.inferenceUri().getPort();
      assertThatThrownBy(() -> running(port, false))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1:" + port);
    }
  }

  private static int served(Running running) {
    return running.node.calls.get();
  }
}
