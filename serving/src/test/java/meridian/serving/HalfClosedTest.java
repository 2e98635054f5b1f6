package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of HTTP/1 that have said all they have to say, and listen. */
class HalfClosedTest {

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static String all(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)
        .replace("HTTP/1.1 100 Continue\r\n\r\n", "");
  }

  private static String sendAndListen(String bytes) throws IOException {
    try (Socket socket = running.raw(bytes)) {
      socket.shutdownOutput();
      return all(socket);
    }
  }

  @Test
  void request_whole_isAnsweredAndClosed() throws Exception {
    assertThat(sendAndListen(DepartureTest.post("/v2/models/echo/infer", Running.ECHO)))
        .startsWith("HTTP/1.1 200 ")
        .contains("\"id\":\"a\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1", "HTTP/1.0"})
  void request_thatTakesItsTime_isAnswered(String version) throws Exception {
    String request =
        DepartureTest.post("/v2/models/held/infer", Running.ECHO).replace("HTTP/1.1", version);
    try (Socket socket = running.raw(request)) {
      socket.shutdownOutput();
      FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
      if (version.equals("HTTP/1.1")) {
        assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
            .as("what tells whether the client is there")
            .isEqualTo("HTTP/1.1 100");
      }
      assertThat(held.request().cancellation().isCancelled()).isFalse();
      held.finish();
      assertThat(all(socket)).contains("HTTP/1.1 200 OK\r\n", "\"id\":\"a\"");
    }
  }

  @Test
  void requests_pipelined_areAllAnswered() throws Exception {
    String one = DepartureTest.post("/v2/models/echo/infer", Running.ECHO);
    assertThat(sendAndListen(one + one + one).split("HTTP/1.1 200 OK", -1)).hasSize(4);
  }

  @Test
  void request_brokenOff_isRefused() throws Exception {
    String request = DepartureTest.post("/v2/models/echo/infer", Running.ECHO);
    assertThat(sendAndListen(request.substring(0, request.length() - 9)))
        .startsWith("HTTP/1.1 400 ")
        .contains("{\"error\":\"request: cannot be read (expected: all of it");
    assertThat(sendAndListen(request.substring(0, 60))).startsWith("HTTP/1.1 400 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "G", "GET /", RawHttp2.PREFACE})
  void nothing_asked_isClosed(String bytes) throws Exception {
    assertThat(sendAndListen(bytes)).doesNotContain("HTTP/1.1");
  }
}
