package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocols of the one port. */
class WireTest {

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static String uri(String scheme) {
    return running.server.inferenceUri().toString().replace("http://", scheme + "://");
  }

  @ParameterizedTest
  @CsvSource({"h1c, true", "h2c, true", "http, true", "http, false"})
  void rest_everyWay_answers(String scheme, boolean preface) {
    try (ClientFactory factory = ClientFactory.builder().useHttp2Preface(preface).build()) {
      AggregatedHttpResponse response =
          WebClient.builder(uri(scheme))
              .factory(factory)
              .build()
              .post("/v2/models/echo/infer", Running.ECHO)
              .aggregate()
              .join();
      assertThat(response.status().code()).isEqualTo(200);
      assertThat(response.headers().contains("server-timing")).isTrue();
    }
  }

  @Test
  void upgrade_http1WithBody_goesOnInHttp2() {
    try (ClientFactory factory = ClientFactory.builder().useHttp2Preface(false).build()) {
      HttpResponse response =
          WebClient.builder(uri("h2c"))
              .factory(factory)
              .build()
              .post("/v2/models/echo/infer", Running.ECHO);
      assertThat(response.aggregate().join().status().code()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gproto+h2c",
        "gproto-web+h2c",
        "gproto-web+h1c",
        "gproto-web-text+h1c",
        "gproto+h1c"
      })
  void grpc_everyFlavour_answers(String scheme) {
    assertThat(
            GrpcClients.newClient(uri(scheme), GRPCInferenceServiceBlockingStub.class)
                .modelInfer(GrpcServerTest.request("echo", "a", 1, 2))
                .getId())
        .isEqualTo("a");
  }
}
