package meridian.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BoundsTest {

  private static final InferRequest REQUEST = InferRequest.of("m", List.of());

  @ParameterizedTest
  @EnumSource(
      value = Wire.class,
      names = {"GRPC", "REST_JSON"})
  void infer_moreAtOnceThanAllowed_waitsAndConnectsNoMore(Wire wire) {
    try (HoldingServer server = new HoldingServer(10, 20);
        MeridianClient client =
            MeridianClient.connect(server.uri(), wire, new Bounds(3, 20, 1_000))) {
      List<CompletableFuture<InferResult>> answers = send(client, 500);
      server.awaitArrivals();
      assertThat(server.arrived()).isEqualTo(20);
      server.release();
      assertThat(answers.stream().map(answer -> problem(answer).code()))
          .hasSize(500)
          .containsOnly(ErrorCode.NOT_FOUND);
      assertThat(server.mostConnections()).isBetween(2, 3);
      assertThat(client.waited()).isEqualTo(480);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.class,
      names = {"GRPC", "REST_JSON"})
  void infer_moreAtOnceThanConnectionsCarry_failsAndConnectsNoMore(Wire wire) {
    try (HoldingServer server = new HoldingServer(10, 20);
        MeridianClient client =
            MeridianClient.connect(server.uri(), wire, new Bounds(2, 100, 1_000))) {
      List<CompletableFuture<InferResult>> answers = send(client, 100);
      server.awaitArrivals();
      server.release();
      assertThat(
              answers.stream()
                  .map(BoundsTest::problem)
                  .filter(problem -> problem.code() == ErrorCode.UNAVAILABLE)
                  .map(Problem::message)
                  .collect(Collectors.toSet()))
          .containsExactly("connections: all 2 are full (expected: fewer requests at once)");
      assertThat(server.mostConnections()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Wire.class,
      names = {"GRPC", "REST_JSON"})
  void infer_deadlineWhileWaiting_isExceeded(Wire wire) {
    try (HoldingServer server = new HoldingServer(10, 1);
        MeridianClient client =
            MeridianClient.connect(server.uri(), wire, new Bounds(1, 1, 1_000))) {
      List<CompletableFuture<InferResult>> first = send(client, 1);
      server.awaitArrivals();
      long nanos = Duration.ofMillis(30).toNanos();
      InferRequest urgent = REQUEST.withDeadline(Deadline.after(NanoClock.SYSTEM.nanos(), nanos));
      CompletableFuture<InferResult> late = client.infer(urgent).toCompletableFuture();
      assertThat(problem(late).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
      server.release();
      assertThat(problem(first.getFirst()).code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(server.arrived()).isEqualTo(1);
    }
  }

  /** Whoever comes after those that gave up is served, however many they were. */
  @Test
  void infer_thousandsGaveUpWaiting_nextIsServed() {
    try (HoldingServer server = new HoldingServer(10, 1);
        MeridianClient client =
            MeridianClient.connect(server.uri(), Wire.GRPC, new Bounds(1, 1, 50_000))) {
      List<CompletableFuture<InferResult>> first = send(client, 1);
      server.awaitArrivals();
      long nanos = Duration.ofSeconds(2).toNanos();
      InferRequest urgent = REQUEST.withDeadline(Deadline.after(NanoClock.SYSTEM.nanos(), nanos));
      List<CompletableFuture<InferResult>> late =
          IntStream.range(0, 10_000)
              .mapToObj(_ -> client.infer(urgent).toCompletableFuture())
              .toList();
      assertThat(late.stream().map(answer -> problem(answer).code()))
          .containsOnly(ErrorCode.DEADLINE_EXCEEDED);
      CompletableFuture<InferResult> next = send(client, 1).getFirst();
      server.release();
      assertThat(problem(first.getFirst()).code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(problem(next.orTimeout(30, TimeUnit.SECONDS)).code())
          .isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(server.arrived()).isEqualTo(2);
    }
  }

  @Test
  void infer_moreThanMayWait_failsAtOnce() {
    try (HoldingServer server = new HoldingServer(10, 1);
        MeridianClient client =
            MeridianClient.connect(server.uri(), Wire.GRPC, new Bounds(1, 1, 1))) {
      List<CompletableFuture<InferResult>> answers = send(client, 3);
      assertThat(problem(answers.get(2)))
          .isEqualTo(
              Problem.of(
                  ErrorCode.UNAVAILABLE, "waiting: too many requests (expected: fewer at once)"));
      server.release();
      assertThat(problem(answers.get(1)).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void bounds_thatBoundNothing_areRefused() {
    assertThatThrownBy(() -> new Bounds(0, 1, 1))
        .hasMessage("connections: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> new Bounds(1, 0, 1)).hasMessage("inFlight: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> new Bounds(1, 1, -1)).hasMessage("waiting: -1 (expected: 0 or more)");
  }

  private static List<CompletableFuture<InferResult>> send(MeridianClient client, int requests) {
    return IntStream.range(0, requests)
        .mapToObj(_ -> client.infer(REQUEST).toCompletableFuture())
        .toList();
  }

  private static Problem problem(CompletableFuture<InferResult> answer) {
    assertThat(answer.join()).isInstanceOf(InferFailure.class);
    return ((InferFailure) answer.join()).problem();
  }
}
