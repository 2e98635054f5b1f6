package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthStub;
import io.grpc.stub.StreamObserver;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import meridian.serving.ServerSettings.Shutdown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StopTest {

  private static Running running(Duration grace, Duration drain, boolean http2) {
    return http2
        ? Running.startHttp2(s -> with(s, grace, drain))
        : Running.start(s -> with(s, grace, drain));
  }

  private static ServerSettings with(ServerSettings s, Duration grace, Duration drain) {
    return Settings.with(s, new Shutdown(grace, drain, Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_requestUnderWay_isFinishedAndNewOnesAreRefused(boolean http2) throws Exception {
    Running running = running(Duration.ZERO, Duration.ofSeconds(20), http2);
    CompletableFuture<HttpResponse<String>> answer = held(running);
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(running.server::close);
    DepartureTest.await(() -> running.infer(Running.ECHO).statusCode() == 503);
    HttpResponse<String> refused = running.infer(Running.ECHO);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
    assertThat(running.get("/v2/health/ready").statusCode()).isEqualTo(503);
    assertThat(running.get("/v2/health/live").statusCode()).isEqualTo(200);
    assertThatThrownBy(
            () ->
                running
                    .grpc(GRPCInferenceServiceBlockingStub.class)
                    .modelInfer(GrpcServerTest.request("echo", "", 1, 2)))
        .hasMessageStartingWith("UNAVAILABLE");
    assertThat(closed).isNotDone();
    held.finish();
    assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    closed.get(20, TimeUnit.SECONDS);
    running.close();
  }

  @Test
  void draining_keptAliveHttp1_getsOne503AndNothingElse() throws Exception {
    Running running = running(Duration.ZERO, Duration.ofSeconds(20), false);
    String infer = DepartureTest.post("/v2/models/echo/infer", Running.ECHO);
    try (Socket socket = running.raw("GET /v2/health/live HTTP/1.1\r\nHost: x\r\n\r\n")) {
      assertThat(latin(socket.getInputStream().readNBytes(12))).isEqualTo("HTTP/1.1 200");
      CompletableFuture<HttpResponse<String>> answer = held(running);
      FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
      CompletableFuture<Void> closed = CompletableFuture.runAsync(running.server::close);
      DepartureTest.await(() -> running.infer(Running.ECHO).statusCode() == 503);
      socket.getOutputStream().write(infer.getBytes(StandardCharsets.US_ASCII));
      String refused = latin(socket.getInputStream().readNBytes(400));
      for (int i = 0; i < 3; i++) {
        socket.getOutputStream().write(infer.getBytes(StandardCharsets.US_ASCII));
      }
      String all = refused + latin(socket.getInputStream().readAllBytes());
      assertThat(all.split("HTTP/1.1 ", -1)).as(all).hasSize(2);
      assertThat(all.substring(all.indexOf("HTTP/1.1 503 ")))
          .contains("retry-after: 1\r\n", "connection: close\r\n")
          .endsWith("{\"error\":\"server: shutting down (expected: another one)\"}");
      held.finish();
      assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      closed.get(20, TimeUnit.SECONDS);
    }
    running.close();
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void close_grace_readinessIsOffWhileStillServing() throws Exception {
    Running running = running(Duration.ofSeconds(3), Duration.ofSeconds(5), false);
    BlockingQueue<ServingStatus> health = watch(running);
    assertThat(health.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.SERVING);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(running.server::close);
    assertThat(health.poll(10, TimeUnit.SECONDS)).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(running.get("/v2/health/ready").statusCode()).isEqualTo(503);
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
    closed.get(20, TimeUnit.SECONDS);
    assertThatThrownBy(
            () ->
                java.net.http.HttpClient.newHttpClient()
                    .send(running.to("/v2").build(), BodyHandlers.ofString()))
        .isInstanceOf(ConnectException.class);
    running.close();
  }

  @Test
  void close_requestThatNeverEnds_isCutAfterTheDrainTime() throws Exception {
    Running running = running(Duration.ZERO, Duration.ofMillis(200), false);
    CompletableFuture<HttpResponse<String>> answer = held(running);
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    running.server.close();
    DepartureTest.await(() -> held.request().cancellation().isCancelled());
    assertThat(
            answer
                .handle((response, error) -> response == null ? 0 : response.statusCode())
                .get(10, TimeUnit.SECONDS))
        .isIn(0, 503);
    held.finish();
    running.close();
  }

  @Test
  void ready_catalogNotReady_isOffButLive() {
    try (Running running = Running.start()) {
      running.node.ready = false;
      assertThat(running.get("/v2/health/ready"))
          .returns(503, HttpResponse::statusCode)
          .returns("{\"live\":true,\"ready\":false}", HttpResponse::body);
      assertThat(running.get("/v2/health/live").statusCode()).isEqualTo(200);
      running.node.ready = true;
      assertThat(running.get("/v2/health/ready").statusCode()).isEqualTo(200);
    }
  }

  private static CompletableFuture<HttpResponse<String>> held(Running running) {
    return running.http.sendAsync(
        running.to("/v2/models/held/infer").POST(BodyPublishers.ofString(Running.ECHO)).build(),
        BodyHandlers.ofString());
  }

  private static BlockingQueue<ServingStatus> watch(Running running) {
    BlockingQueue<ServingStatus> health = new LinkedBlockingQueue<>();
    running
        .grpc(HealthStub.class)
        .watch(
            HealthCheckRequest.getDefaultInstance(),
            new StreamObserver<>() {
              @Override
              public void onNext(HealthCheckResponse response) {
                health.add(response.getStatus());
              }

              @Override
              public void onError(Throwable error) {}

              @Override
              public void onCompleted() {}
            });
    return health;
  }
}
