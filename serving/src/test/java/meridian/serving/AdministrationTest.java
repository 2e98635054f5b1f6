package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AdministrationTest {

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void metrics_text_showsRequests() {
    running.infer(Running.ECHO);
    HttpResponse<String> response = running.admin("/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/plain");
    assertThat(response.body())
        .contains(
            "meridian_request_seconds_count{code=\"ok\",model=\"echo\",protocol=\"rest\",version=\"3\"}")
        .contains("meridian_native_memory_bytes{area=\"netty\"}")
        .contains("jvm_memory_used_bytes");
  }

  @Test
  void metrics_refusedRequest_isCountedByItsReason() {
    running.post("/v2/models/loading/infer", Running.ECHO);
    assertThat(running.admin("/metrics").body())
        .contains("meridian_rejected_total{model=\"unknown\",reason=\"unavailable\"} 1.0");
  }

  @Test
  void metrics_manyInventedNames_makeNoSeries() {
    running.post("/v2/models/nobody/infer", Running.ECHO);
    long before = series();
    for (int i = 0; i < 300; i++) {
      running.post("/v2/models/nobody" + i + "/infer", Running.ECHO);
      running.post("/v2/models/echo/versions/" + (100 + i) + "/infer", Running.ECHO);
      running.get("/nowhere/" + i);
    }
    assertThat(series()).isLessThanOrEqualTo(before + 30);
    assertThat(running.admin("/metrics").body()).doesNotContain("nobody");
  }

  private static long series() {
    return running
        .admin("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("meridian_request_seconds_count"))
        .count();
  }

  @Test
  void health_administrationPort_tellsTheSame() {
    assertThat(running.admin("/v2/health/ready").body())
        .isEqualTo("{\"live\":true,\"ready\":true}");
    assertThat(running.admin("/v2/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void docs_specification_listsTheGrpcService() {
    assertThat(running.admin("/docs/specification.json").body())
        .contains("inference.GRPCInferenceService");
    assertThat(running.admin("/docs/").statusCode()).isEqualTo(200);
  }

  @Test
  void openapi_isServed() {
    assertThat(running.admin("/openapi.json").body()).startsWith("{\n  \"openapi\": \"3.0.3\"");
  }

  @Test
  void inferencePort_administration_isNotThere() {
    assertThat(running.get("/metrics").statusCode()).isEqualTo(404);
    assertThat(running.get("/docs/").statusCode()).isEqualTo(404);
    assertThat(running.get("/openapi.json").statusCode()).isEqualTo(404);
  }

  @Test
  void reflection_listsServices() throws Exception {
    var names = new java.util.concurrent.LinkedBlockingQueue<String>();
    var stub = running.grpc(io.grpc.reflection.v1.ServerReflectionGrpc.ServerReflectionStub.class);
    var requests =
        stub.serverReflectionInfo(
            new io.grpc.stub.StreamObserver<>() {
              @Override
              public void onNext(io.grpc.reflection.v1.ServerReflectionResponse response) {
                response
                    .getListServicesResponse()
                    .getServiceList()
                    .forEach(s -> names.add(s.getName()));
                names.add("end");
              }

              @Override
              public void onError(Throwable error) {}

              @Override
              public void onCompleted() {}
            });
    requests.onNext(
        io.grpc.reflection.v1.ServerReflectionRequest.newBuilder().setListServices("").build());
    var all = new java.util.ArrayList<String>();
    for (String name;
        !(name = names.poll(10, java.util.concurrent.TimeUnit.SECONDS)).equals("end"); ) {
      all.add(name);
    }
    requests.onCompleted();
    assertThat(all).contains("inference.GRPCInferenceService", "grpc.health.v1.Health");
  }
}
