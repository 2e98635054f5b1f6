package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import meridian.core.time.NanoClock;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import meridian.serving.ServerSettings.Timeouts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {

  private Running running = Running.start();

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void infer_timeoutHeader_isAnsweredWhileTheWorkGoesOn() throws Exception {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/models/held/infer")
                .header("Meridian-Timeout-Ms", "100")
                .POST(BodyPublishers.ofString(Running.ECHO)));
    assertThat(response.statusCode()).isEqualTo(504);
    assertThat(response.body()).startsWith("{\"error\":\"deadline: ");
    assertThat(response.headers().firstValue("server-timing")).isPresent();
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    assertThat(held.request().cancellation().isCancelled()).isTrue();
    held.finish();
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
    assertThat(running.metricsText()).contains("code=\"deadline_exceeded\",model=\"held\"");
  }

  @Test
  void infer_timeoutParameter_isADeadlineToo() throws Exception {
    HttpResponse<String> response =
        running.post(
            "/v2/models/held/infer",
            "{\"parameters\":{\"timeout\":100000}," + Running.ECHO.substring(1));
    assertThat(response.statusCode()).isEqualTo(504);
    running.node.held.poll(10, TimeUnit.SECONDS).finish();
  }

  @Test
  void infer_longest_boundsARequestThatSetsNone() throws Exception {
    running.close();
    running =
        Running.start(
            s ->
                Settings.with(
                    s,
                    new Timeouts(
                        Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofMinutes(1))));
    assertThat(running.post("/v2/models/held/infer", Running.ECHO).statusCode()).isEqualTo(504);
    running.node.held.poll(10, TimeUnit.SECONDS).finish();
  }

  @Test
  void infer_slowerThanTheReadTimeout_isNotCut() throws Exception {
    running.close();
    running =
        Running.start(
            s ->
                Settings.with(
                    s,
                    new Timeouts(
                        Duration.ofMillis(300), Duration.ofMinutes(1), Duration.ofMinutes(1))));
    var answer =
        running.http.sendAsync(
            running.to("/v2/models/held/infer").POST(BodyPublishers.ofString(Running.ECHO)).build(),
            HttpResponse.BodyHandlers.ofString());
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    try (Socket slow =
        running.raw(
            "POST /v2/models/echo/infer HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")) {
      assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 408 ");
    }
    assertThat(answer).isNotDone();
    held.finish();
    assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "0", "-5", "1.5", "1s"})
  void infer_oddTimeout_isRefused(String timeout) {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/models/echo/infer")
                .header("Meridian-Timeout-Ms", timeout)
                .POST(BodyPublishers.ofString(Running.ECHO)));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).startsWith("{\"error\":\"meridian-timeout-ms: ");
    assertThat(running.node.calls).hasValue(0);
  }

  @Test
  void modelInfer_grpcDeadline_reachesTheWork() throws Exception {
    GRPCInferenceServiceBlockingStub stub =
        running
            .grpc(GRPCInferenceServiceBlockingStub.class)
            .withDeadlineAfter(300, TimeUnit.MILLISECONDS);
    assertThatThrownBy(() -> stub.modelInfer(GrpcServerTest.request("held", "", 1, 2)))
        .hasMessageStartingWith("DEADLINE_EXCEEDED");
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    assertThat(held.request().deadline().remainingNanos(NanoClock.SYSTEM.nanos()))
        .isLessThan(TimeUnit.MILLISECONDS.toNanos(300));
    held.finish();
  }
}
