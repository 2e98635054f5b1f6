package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import meridian.serving.ServerSettings.Observability;
import meridian.serving.telemetry.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a request over a socket to its spans over another. */
class SpanExportTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private static Running running(Collector collector, String path, double share) {
    URI endpoint = URI.create("http://127.0.0.1:" + collector.port() + path);
    return Running.start(s -> Settings.with(s, new Observability(false, endpoint, share)));
  }

  private static void infer(Running running, String traceparent) {
    assertThat(
            running
                .send(
                    running
                        .to("/v2/models/echo/infer")
                        .header("traceparent", traceparent)
                        .POST(BodyPublishers.ofString(Running.ECHO)))
                .statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"'', /v1/traces", "/, /v1/traces", "/v1/traces, /v1/traces", "/here, /here"})
  void request_sampledByItsCaller_reachesTheCollector(String endpoint, String path)
      throws Exception {
    try (Collector collector = Collector.start()) {
      try (Running running = running(collector, endpoint, 0)) {
        infer(running, "00-" + TRACE + "-" + PARENT + "-01");
      }
      Collector.Received received = collector.take();
      assertThat(received.path()).isEqualTo(path);
      assertThat(received.contentType()).isEqualTo("application/x-protobuf");
      assertThat(received.spans()).allMatch(span -> span.trace().equals(TRACE));
      assertThat(received.spans()).extracting(Collector.Sent::name).contains("queue", "model");
      Collector.Sent request = received.spans().getLast();
      assertThat(request.name()).isEqualTo("infer echo");
      assertThat(request.parent()).isEqualTo(PARENT);
      assertThat(request.endNanos()).isGreaterThan(request.beginNanos());
    }
  }

  @Test
  void request_notSampled_isNotSent() throws Exception {
    try (Collector collector = Collector.start()) {
      try (Running running = running(collector, "", 0)) {
        infer(running, "00-" + TRACE + "-" + PARENT + "-00");
        infer(running, "00-" + "1".repeat(32) + "-" + PARENT + "-01");
      }
      assertThat(collector.take().spans()).allMatch(span -> span.trace().equals("1".repeat(32)));
    }
  }
}
