package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import meridian.serving.ServerSettings.Connections;
import meridian.serving.ServerSettings.Timeouts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd HTTP/1.1, as bytes. */
class FramingTest {

  private static final String HIDDEN = "GET /v2/health/live HTTP/1.1\r\nHost: hidden\r\n\r\n";
  private static Running running;

  @BeforeAll
  static void start() {
    running =
        Running.start(
            s ->
                Settings.with(
                    s,
                    new Timeouts(
                        Duration.ofMillis(500), Duration.ofMinutes(1), Duration.ofMillis(800)),
                    new Connections(
                        1_000, 1_024, 4_096, 100, 50, Duration.ofSeconds(30), 128, false)));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  /** All that comes until the server closes. */
  private static String all(String request) throws IOException {
    try (Socket socket = running.raw(request)) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5, 6",
        "Content-Length: -5",
        "Content-Length: +5",
        "Content-Length: 0x5",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding : chunked",
        "Content-Length : 5",
        "Transfer-Encoding:\u000bchunked",
        "content-LENGTH: 5\r\nTransfer-Encoding: chunked",
      })
  void request_ambiguousLength_isRefusedAndClosed(String headers) throws Exception {
    String answer =
        all(
            "POST /v2/repository/index HTTP/1.1\r\nHost: x\r\n"
                + headers
                + "\r\n\r\n0\r\n\r\n"
                + HIDDEN);
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("{\"error\":\"");
    assertThat(answer.split("HTTP/1.1 ", -1)).as(answer).hasSize(2);
  }

  @Test
  void request_ambiguousInPieces_isRefused() throws Exception {
    try (Socket socket = running.raw("POST /v2/repository/index HTTP/1.1\r\nHost: x\r\nConten")) {
      for (String piece :
          new String[] {"t-Length: 5\r\nTransf", "er-Encoding: chunked\r\n\r\n0\r\n\r\n", HIDDEN}) {
        write(socket, piece);
      }
      String answer =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      assertThat(answer).startsWith("HTTP/1.1 400 ");
      assertThat(answer.split("HTTP/1.1 ", -1)).as(answer).hasSize(2);
    }
  }

  @Test
  void request_chunkedAndPipelined_isServed() throws Exception {
    String chunked =
        """
        POST /v2/repository/index HTTP/1.1
        Host: x
        Transfer-Encoding: chunked

        2
        {}
        0

        """
            .replace("\n", "\r\n");
    String answer =
        all(
            chunked
                + "GET /v2 HTTP/1.1\r\nHost: x\r\n\r\n"
                + chunked
                + "GET /v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertThat(answer.split("HTTP/1.1 200 OK", -1)).as(answer).hasSize(5);
  }

  @Test
  void request_bareLineFeeds_areRefused() throws Exception {
    String answer =
        all("POST /v2/repository/index HTTP/1.1\nHost: x\nContent-Length: 0\n\n" + HIDDEN);
    assertThat(answer).startsWith("HTTP/1.1 400 ");
    assertThat(answer.split("HTTP/1.1 ", -1)).as(answer).hasSize(2);
  }

  @Test
  void request_headersOverTheLimit_isRefused() throws Exception {
    assertThat(all("GET /v2 HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(8_192) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ")
        .contains("{\"error\":\"");
    assertThat(all("GET /" + "y".repeat(2_048) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 414 ")
        .contains("{\"error\":\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Host: x\r\nHost: x\r\n",
        "Host: a b\r\n",
        "Host: http://x/\r\n",
        "Host: user@x\r\n",
        "Host : x\r\n",
      })
  void request_withoutOneGoodHost_isRefused(String host) throws Exception {
    assertThat(all("GET /v2 HTTP/1.1\r\n" + host + "\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("connection: close", "{\"error\":\"");
    assertThat(all("GET /v2 HTTP/1.1\r\nX: y\r\n\r\n"))
        .contains("{\"error\":\"Host: missing (expected: one such header in HTTP/1.1)\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v2 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n",
        "GET http://elsewhere:80/v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v2 HTTP/1.0\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x\r\nConnection: host, close\r\n\r\n",
        "GET /v2 HTTP/1.1\r\nHost: x\r\nConnection: Host\r\nConnection: close\r\n\r\n",
        "POST /v2/repository/index HTTP/1.1\r\nHost: x\r\nConnection: content-length, close\r\n"
            + "Content-Length: 2\r\n\r\n{}",
      })
  void request_oddButRight_isServed(String request) throws Exception {
    assertThat(all(request)).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/9.9", "HTTP/2.0", "HTTP/0.9", "HTCPCP/1.0"})
  void request_otherVersion_isRefused(String version) throws Exception {
    assertThat(all("GET /v2 " + version + "\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 505 ")
        .contains("{\"error\":\"version: " + version + " (expected: HTTP/1.1 or HTTP/1.0)\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/../x",
        "/%2e%2e",
        "/v2/../v2",
        "/%zz",
        "/%",
        "/%00",
        "*",
        "v2",
        "/v2?a=%zz",
        "http://x/../v2",
      })
  void request_pathThatArmeriaRefuses_isAnsweredAndTheNextOneServed(String path) throws Exception {
    String answer =
        all(
            "GET "
                + path
                + " HTTP/1.1\r\nHost: x\r\n\r\n"
                + "GET /v2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertThat(answer)
        .startsWith("HTTP/1.1 400 ")
        .contains("{\"error\":\"path: \\\"", "(expected: begins with /, has no segment ..")
        .contains("HTTP/1.1 200 ");
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(RawHttp2.get(1, "GET", path));
      RawHttp2.Answer refused = connection.answer(1);
      assertThat(refused.status()).isEqualTo(RawHttp2.BAD_REQUEST);
      assertThat(refused.body()).startsWith("{\"error\":\"path: \\\"");
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "%2e%2e", "..%5cx", "a%00b", "%zz", "\u00e4", "%c3%a4", "a\\b"})
  void request_modelNameThatArmeriaRefuses_isToldTheRule(String model) throws Exception {
    String path = "/v2/models/" + model + "/ready";
    assertThat(all("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400 ")
        .contains("{\"error\":\"model: \\\"", "(expected: 1 to 128 of A-Z a-z 0-9");
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(RawHttp2.get(1, "GET", path));
      assertThat(connection.answer(1).body()).startsWith("{\"error\":\"model: \\\"");
    }
  }

  @ParameterizedTest
  @CsvSource({":path, /v2/models/other/ready", ":method, POST", ":authority, y"})
  void http2_malformed_isResetAndTheNextOneServed(String name, String value) throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(RawHttp2.get(1, "GET", "/v2", name, value));
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
      assertThat(connection.resets()).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "user@x", "http://x/", "x:y"})
  void http2_authorityThatIsNone_isReset(String authority) throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      byte[] head =
          RawHttp2.block(
              ":method", "GET", ":path", "/v2", ":scheme", "http", ":authority", authority);
      connection.write(
          RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_STREAM | RawHttp2.END_HEADERS, 1, head));
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
      assertThat(connection.resets()).isOne();
    }
  }

  @ParameterizedTest
  @CsvSource({"FOO, -", "CONNECT, -", "GET, zzz"})
  void http2_refusedByArmeria_costsOnlyTheRequest(String method, String expect) throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      String[] more = expect.equals("-") ? new String[0] : new String[] {"expect", expect};
      connection.write(RawHttp2.get(1, method, "/v2", more));
      assertThat(connection.answer(1).body()).startsWith("{\"error\":\"");
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v2/models/../x",
        "/v2/models/%2e%2e/x",
        "/v2/models/..%2fx/ready",
        "/v2/models/a%00b",
        "/v2/models/..\\x/ready",
        "/v2/models/a\\b",
        "/../../etc/passwd"
      })
  void request_pathThatClimbs_isRefusedInJson(String path) throws Exception {
    String answer = all("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 400 ").contains("{\"error\":\"");
  }

  @Test
  void body_trickling_isCutWith408() throws Exception {
    try (Socket socket =
        running.raw(
            "POST /v2/models/echo/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")) {
      socket.setSoTimeout(50);
      StringBuilder answer = new StringBuilder();
      for (int i = 0; i < 200; i++) {
        try {
          int c = socket.getInputStream().read();
          if (c < 0) {
            break;
          }
          answer.append((char) c);
        } catch (SocketTimeoutException _) {
          socket.getOutputStream().write('{');
        }
      }
      assertThat(answer).startsWith("HTTP/1.1 408 ").contains("{\"error\":\"body: not all here");
    }
  }

  @Test
  void headers_trickling_areCut() throws Exception {
    try (Socket socket = running.raw("POST /v2/models/echo/infer HTTP/1.1\r\n")) {
      socket.setSoTimeout(50);
      int read = 0;
      for (int i = 0; i < 200 && read >= 0; i++) {
        try {
          read = socket.getInputStream().read();
        } catch (SocketTimeoutException _) {
          write(socket, "X-" + i + ": y\r\n");
        } catch (IOException _) {
          read = -1;
        }
      }
      assertThat(read).isNegative();
    }
  }

  private static void write(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException _) {
      // Closed in between; the next read tells.
    }
  }
}
