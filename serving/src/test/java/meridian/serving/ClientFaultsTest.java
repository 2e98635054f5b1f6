package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No bytes that a stranger sends are worth a line in the log of an operator. */
class ClientFaultsTest {

  private static final int ROUNDS = 300;
  private static final String CHUNKED =
      "POST /v2/repository/index HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

  private static Running running;
  private final Random random = new Random(20_261_201);
  private int loggedBefore;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @BeforeEach
  void remember() {
    loggedBefore = RecordedLog.lines().size();
  }

  /** What the connection of this request logs comes behind what those before it did. */
  @AfterEach
  void assertSilence() {
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
    List<String> lines = RecordedLog.lines();
    assertThat(lines.subList(loggedBefore, lines.size())).isEmpty();
  }

  private static String all(byte[] bytes) throws IOException {
    try (Socket socket = running.raw("")) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return latin(socket.getInputStream().readAllBytes());
    } catch (IOException e) {
      // The server has closed while it was still being written to.
      return String.valueOf(e.getMessage());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        CHUNKED + "zz\r\n",
        CHUNKED + "-1\r\n",
        CHUNKED + "ffffffffffffffffff\r\n",
        CHUNKED + "2\r\n{}x",
        CHUNKED + "2\r\n{}\r\n0\r\n : x\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: [\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x:y\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x\r\nX\0: y\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
        "G\0T /v2 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v2 HTTP/x.y\r\nHost: x\r\n\r\n",
        "GET /v2 \r\nHost: x\r\n\r\n",
        "GET\r\n\r\n",
      })
  void http1_broken_isRefused(String request) throws Exception {
    assertThat(all(bytes(request))).startsWith("HTTP/1.1 400 ").contains("{\"error\":\"");
  }

  @Test
  void http1_unknownExpectation_isRefused() throws Exception {
    assertThat(all(bytes("GET /v2 HTTP/1.1\r\nHost: x\r\nExpect: zzz\r\n\r\n")))
        .startsWith("HTTP/1.1 417 ")
        .contains("{\"error\":\"Expect: \\\"zzz\\\" (expected: 100-continue)\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "/v2/models/echo/infer, 8",
    "/v2/models/echo/infer, 1",
    "/v2/models/echo/infer, 2",
    "/v2/repository/index, 1",
    "/v2/none, 1"
  })
  void http2_streamResetInItsBody_isNotLogged(String path, byte error) throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(post(1, path, "1000"));
      connection.write(RawHttp2.frame(RawHttp2.DATA, 0, 1, new byte[10]));
      connection.write(RawHttp2.frame(RawHttp2.RST_STREAM, 0, 1, new byte[] {0, 0, 0, error}));
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v2/models/echo/infer", "/v2/repository/index", "/v2/none"})
  void http2_bodyOfAnotherLength_isNotLogged(String path) throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(post(1, path, "5"));
      connection.write(RawHttp2.frame(RawHttp2.DATA, 0, 1, new byte[10]));
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
    }
  }

  private static byte[] post(int stream, String path, String length) {
    byte[] head =
        RawHttp2.block(
            ":method",
            "POST",
            ":path",
            path,
            ":scheme",
            "http",
            ":authority",
            "x",
            "content-length",
            length);
    return RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, head);
  }

  /** Until Armeria closes the connection that this server has long finished. */
  @Test
  void http1_lastAnswerTaken_isNotLogged() throws Exception {
    try (Socket socket = running.raw("GET /v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
      assertThat(latin(socket.getInputStream().readAllBytes())).startsWith("HTTP/1.1 200 ");
      DepartureTest.await(() -> !isOpen(socket));
    }
  }

  private static boolean isOpen(Socket socket) {
    try {
      socket.getOutputStream().write('x');
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "FOO", "get"})
  void http1_unknownMethod_isRefused(String method) throws Exception {
    assertThat(all(bytes(method + " /v2 HTTP/1.1\r\nHost: x\r\n\r\n")))
        .startsWith("HTTP/1.1 405 ")
        .contains("allow: GET, HEAD, POST", "{\"error\":\"method: ");
  }

  static Stream<byte[]> frames() {
    return Stream.of(
        bytes("rubbish that is no frame"),
        RawHttp2.frame(RawHttp2.DATA, 0, 1, new byte[3]),
        RawHttp2.frame(RawHttp2.DATA, 0, 0, new byte[3]),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 0, RawHttp2.block(":method", "GET")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 2, RawHttp2.block(":method", "GET", ":path", "/")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, bytes("\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.block()),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.block(":method", "GET")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.block(":method", "CONNECT")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.block(":path", "/v2")),
        RawHttp2.frame(RawHttp2.HEADERS, 5, 1, RawHttp2.block(":nonsense", "GET")),
        RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, new byte[5]),
        RawHttp2.frame(RawHttp2.SETTINGS, 0, 3, new byte[0]),
        RawHttp2.frame(RawHttp2.GOAWAY, 0, 0, new byte[3]),
        RawHttp2.frame(RawHttp2.CONTINUATION, 4, 1, new byte[0]),
        RawHttp2.frame(3, 0, 1, new byte[4]),
        RawHttp2.frame(5, 4, 1, new byte[8]),
        RawHttp2.frame(6, 0, 0, new byte[7]),
        RawHttp2.frame(8, 0, 0, new byte[4]),
        RawHttp2.frame(8, 0, 0, bytes("\u007f\u00ff\u00ff\u00ff")),
        RawHttp2.get(1, "GET", "/v2", "expect", "zzz"),
        RawHttp2.get(1, "GET", "/v2", "content-length", "x"),
        RawHttp2.get(1, "GET", "/v2", "content-length", "7"),
        RawHttp2.get(1, "GET", "/v2", "Upper", "x"),
        RawHttp2.get(1, "GET", "/v2", "connection", "close"),
        RawHttp2.get(1, "G T", "/v2"),
        RawHttp2.get(1, "GET", ""));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void http2_broken_costsAtMostTheConnection(byte[] frame) throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(RawHttp2.joined(frame, RawHttp2.frame(6, 0, 0, new byte[8])));
      assertThat(connection.untilEnd()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI * HTTP/1.1\r\nHost: x",
        "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n",
        "PRI x",
        "PRI * HTTP/2.0\r\n\r\nSM"
      })
  void http2_brokenPreface_isRefused(String preface) throws Exception {
    assertThat(all(bytes(preface + "x".repeat(60)))).doesNotContain("HTTP/1.1");
  }

  @Test
  void http1_anyBytes_areNotLogged() throws Exception {
    byte[] good = bytes(CHUNKED + "2\r\n{}\r\n0\r\n\r\nGET /v2?a=b HTTP/1.1\r\nHost: x\r\n\r\n");
    for (int i = 0; i < ROUNDS; i++) {
      all(mutated(good));
    }
  }

  @Test
  void http2_anyBytes_areNotLogged() throws Exception {
    byte[] good =
        bytes(
            latin(RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, new byte[0]))
                + latin(RawHttp2.get(1, "POST", "/v2/models/echo/infer", "te", "trailers"))
                + latin(RawHttp2.frame(8, 0, 0, new byte[] {0, 0, 1, 0}))
                + latin(RawHttp2.get(3, "GET", "/v2")));
    for (int i = 0; i < ROUNDS; i++) {
      all(bytes(RawHttp2.PREFACE + latin(mutated(good))));
    }
  }

  private byte[] mutated(byte[] original) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] =
          (byte) (random.nextBoolean() ? random.nextInt(256) : " \r\n\0:/%0x".charAt(i));
    }
    return bytes;
  }
}
