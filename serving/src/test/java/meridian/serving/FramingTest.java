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
                new ServerSettings(
                    s.inference(),
                    s.administration(),
                    s.region(),
                    s.bodies(),
                    s.grpc(),
                    new Timeouts(
                        Duration.ofMillis(500), Duration.ofMinutes(1), Duration.ofMillis(800)),
                    new Connections(
                        1_000, 1_024, 4_096, 100, 50, Duration.ofSeconds(30), 128, false),
                    s.threads(),
                    s.shutdown(),
                    s.observability()));
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
