package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page in somebody's browser may do to a server that this browser can reach. */
class OriginTest {

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @ParameterizedTest
  @CsvSource({
    "load, http://elsewhere.example",
    "unload, http://elsewhere.example",
    "unload, http://127.0.0.1",
    "unload, null",
    "unload, 127.0.0.1"
  })
  void change_fromAnotherSite_isRefused(String change, String origin) {
    HttpResponse<String> response =
        running.send(change(change).header("Origin", origin).header("Content-Type", "text/plain"));

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(response.body())
        .isEqualTo(
            "{\"error\":\"Origin: \\\"%s\\\" (expected: this server, or no such header)\"}"
                .formatted(origin));
  }

  @ParameterizedTest
  @ValueSource(strings = {"load", "unload"})
  void change_fromItsOwnPages_isMade(String change) {
    String origin = running.server.inferenceUri().toString();
    assertThat(running.send(change(change).header("Origin", origin)).statusCode()).isEqualTo(200);
    assertThat(running.send(change(change)).statusCode()).isEqualTo(200);
  }

  @Test
  void infer_fromAnotherSite_isAnswered() {
    HttpRequest.Builder request =
        running
            .to("/v2/models/echo/infer")
            .header("Origin", "http://elsewhere.example")
            .POST(BodyPublishers.ofString(Running.ECHO));
    assertThat(running.send(request).statusCode()).isEqualTo(200);
  }

  private static HttpRequest.Builder change(String change) {
    return running.to("/v2/repository/models/echo/" + change).POST(BodyPublishers.ofString("{}"));
  }
}
