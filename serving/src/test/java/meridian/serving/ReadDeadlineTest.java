package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import meridian.serving.ServerSettings.Timeouts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that are slow on purpose. Only the deadline under test is short. */
class ReadDeadlineTest {

  private static final String WHOLE = "GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n";
  private static final String OPEN_HTTP2 =
      RawHttp2.PREFACE + latin(RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, new byte[0]));

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Running running;

  @BeforeAll
  static void start() {
    running = running(new Timeouts(Duration.ofMillis(400), MINUTE, MINUTE));
  }

  private static Running running(Timeouts timeouts) {
    return Running.start(s -> Settings.with(s, timeouts));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** All that comes, while {@code piece} is sent again and again, until the server closes. */
  private static String trickle(String first, String piece) throws IOException {
    try (Socket socket = running.raw(first)) {
      return trickle(socket, piece);
    }
  }

  private static String trickle(Socket socket, String piece) throws IOException {
    socket.setSoTimeout(50);
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    for (int i = 0; i < 200; i++) {
      try {
        int c = socket.getInputStream().read();
        if (c < 0) {
          return latin(answer.toByteArray());
        }
        answer.write(c);
        i--;
      } catch (SocketTimeoutException _) {
        socket.getOutputStream().write(piece.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    throw new AssertionError("still open after 200 pieces: " + answer);
  }

  @ParameterizedTest
  @CsvSource({
    "'GET /v2 HTTP/1.1\r\n', 'X: y\r\n'",
    "'POST /v2/models/echo/infer HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'",
    "'GET ', 'x'",
    "'GET /v2', ''",
    "'\r\n\r\n', '\r\n'",
  })
  void http1_slowHead_isCutWith408(String first, String piece) throws Exception {
    assertThat(trickle(first, piece))
        .startsWith("HTTP/1.1 408 ")
        .contains("connection: close", "{\"error\":\"head: not all here after PT0.4S (expected: ");
  }

  @Test
  void http1_slowSecondHead_isCutWith408() throws Exception {
    try (Socket socket = running.raw(WHOLE)) {
      assertThat(latin(socket.getInputStream().readNBytes(12))).isEqualTo("HTTP/1.1 200");
      assertThat(trickle(socket, "X")).contains("HTTP/1.1 408 ");
    }
  }

  @Test
  void http1_slowHeadBehindAWholeRequest_isCutWith408() throws Exception {
    assertThat(trickle(WHOLE + "GET /", "x")).startsWith("HTTP/1.1 200 ").contains("HTTP/1.1 408 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"G", "P", "PRI"})
  void protocol_neverTold_isClosed(String first) throws Exception {
    assertThat(trickle(first, "")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PRI * HT", RawHttp2.PREFACE})
  void http2_prefaceWithoutEnd_isToldToGo(String first) throws Exception {
    assertThat(trickle(first, "")).contains("Not all of a frame within PT0.4S");
  }

  @Test
  void http2_headersByteByByte_areToldToGo() throws Exception {
    String begin = latin(RawHttp2.frame(RawHttp2.HEADERS, 5, 1, new byte[100])).substring(0, 12);
    assertThat(trickle(OPEN_HTTP2 + begin, "x")).contains("Not all of a frame within");
  }

  @Test
  void http2_headersContinuedForEver_areToldToGo() throws Exception {
    byte[] method = {(byte) 0x82};
    String begin = latin(RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, method));
    String more = latin(RawHttp2.frame(RawHttp2.CONTINUATION, 0, 1, new byte[0]));
    assertThat(trickle(OPEN_HTTP2 + begin, more)).contains("Not all of a frame within");
  }

  @Test
  void http2_halfAFrameHead_isToldToGo() throws Exception {
    assertThat(trickle(OPEN_HTTP2 + "\0", "")).contains("Not all of a frame within");
  }

  @Test
  void http2_requestInManyPieces_isServed() throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      for (byte piece : RawHttp2.get(1, "GET", "/v2/health/live")) {
        connection.write(new byte[] {piece});
      }
      assertThat(connection.answer(1).status()).isEqualTo(RawHttp2.OK);
    }
  }

  /** Its clock starts with the head of the next request, not with the end of this one. */
  @Test
  void answered_keptOpen_isNotCutByTheReadDeadline() throws Exception {
    try (Socket socket = running.raw(WHOLE)) {
      socket.setSoTimeout(50);
      int silent = 0;
      while (silent < 12) {
        try {
          assertThat(socket.getInputStream().read()).isNotNegative();
        } catch (SocketTimeoutException _) {
          silent++;
        }
      }
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(WHOLE.getBytes(StandardCharsets.US_ASCII));
      assertThat(latin(socket.getInputStream().readNBytes(12))).isEqualTo("HTTP/1.1 200");
    }
  }

  /** The read ends when the server closes, and not by the limit of the socket. */
  @ParameterizedTest
  @ValueSource(strings = {"", WHOLE, "h2"})
  void idle_connection_isClosed(String first) throws Exception {
    try (Running idle = running(new Timeouts(MINUTE, MINUTE, Duration.ofMillis(300)));
        Socket socket = idle.raw(first.equals("h2") ? OPEN_HTTP2 : first)) {
      String all = latin(socket.getInputStream().readAllBytes());
      assertThat(all.startsWith("HTTP/1.1 200 ")).isEqualTo(first.equals(WHOLE));
    }
  }
}
