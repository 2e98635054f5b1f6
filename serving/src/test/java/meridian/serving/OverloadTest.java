package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import meridian.serving.ServerSettings.Bodies;
import meridian.serving.ServerSettings.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverloadTest {

  /** One worker, which is held up, and room for one body to wait. */
  private static Running running() {
    return Running.start(
        s -> Settings.with(s, new Bodies(1 << 20, 1 << 20, 250, 0, 1_024), new Threads(0, 1, 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v2/models/echo/infer", "/v2/repository/index"})
  void body_noWorkerFree_isToldToComeBack(String path) throws Exception {
    try (Running running = running()) {
      CompletableFuture<HttpResponse<String>> first = ask(running);
      assertThat(running.node.blocked.await(10, TimeUnit.SECONDS)).isTrue();
      var second = ask(running);
      var third = ask(running);
      assertThat(CompletableFuture.anyOf(second, third).get(10, TimeUnit.SECONDS))
          .as("one waits, so this is the other")
          .isInstanceOfSatisfying(
              HttpResponse.class, answer -> assertThat(answer.statusCode()).isEqualTo(429));
      HttpResponse<String> refused = running.post(path, Running.ECHO);
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("retry-after")).hasValue("1");
      assertThat(refused.body())
          .isEqualTo("{\"error\":\"server: too many bodies to read (expected: fewer)\"}");
      running.node.unblock.complete(null);
      assertThat(first.join().statusCode()).isEqualTo(200);
      assertThat(List.of(second.join().statusCode(), third.join().statusCode()))
          .containsExactlyInAnyOrder(200, 429);
    }
  }

  @Test
  void body_deadlineWhileItWaitsForAWorker_isAnsweredThenAndNeverRead() throws Exception {
    try (Running running = running()) {
      CompletableFuture<HttpResponse<String>> first = ask(running);
      assertThat(running.node.blocked.await(10, TimeUnit.SECONDS)).isTrue();

      HttpResponse<String> late =
          running.send(
              running
                  .to("/v2/models/held/infer")
                  .header("Meridian-Timeout-Ms", "100")
                  .POST(BodyPublishers.ofString(Running.ECHO)));
      assertThat(late.statusCode()).isEqualTo(504);

      running.node.unblock.complete(null);
      assertThat(first.join().statusCode()).isEqualTo(200);
      assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
      assertThat(running.node.held).isEmpty();
    }
  }

  private static CompletableFuture<HttpResponse<String>> ask(Running running) {
    return running.http.sendAsync(
        running
            .to("/v2/models/blocking/infer")
            .timeout(Duration.ofSeconds(20))
            .POST(BodyPublishers.ofString(Running.ECHO))
            .build(),
        BodyHandlers.ofString());
  }
}
