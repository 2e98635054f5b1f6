package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceFutureStub;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferRequest.InferInputTensor;
import meridian.proto.ModelInferResponse;
import meridian.serving.ServerSettings.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One request ends while another, of the same event loop, is being submitted. */
class NeighbourTest {

  private static final String CONTEXTS = "com.linecorp.armeria.internal.common.RequestContextUtil";

  private final Running running =
      Running.start(settings -> Settings.with(settings, new Threads(1, 1, 10)));

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void grpc_refusedByTheNext_isToldSo() throws Exception {
    GRPCInferenceServiceFutureStub stub = running.grpc(GRPCInferenceServiceFutureStub.class);
    ListenableFuture<ModelInferResponse> held = stub.modelInfer(request("held"));
    awaitHeld();
    ListenableFuture<ModelInferResponse> next = stub.modelInfer(request("evicting"));

    assertThat(next.get(10, TimeUnit.SECONDS).getModelName()).isEqualTo("evicting");
    assertThatThrownBy(() -> held.get(10, TimeUnit.SECONDS))
        .hasMessageContaining("RESOURCE_EXHAUSTED: queue: another came first");
    assertThat(RecordedLog.of(CONTEXTS)).as("requests ended inside another's").isEmpty();
  }

  @Test
  void rest_refusedByTheNext_isToldSo() throws Exception {
    CompletableFuture<HttpResponse<String>> held =
        running.http.sendAsync(
            running.to("/v2/models/held/infer").POST(BodyPublishers.ofString(Running.ECHO)).build(),
            BodyHandlers.ofString());
    awaitHeld();

    assertThat(running.post("/v2/models/evicting/infer", Running.ECHO).statusCode()).isEqualTo(200);
    assertThat(held.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(429);
  }

  private void awaitHeld() throws InterruptedException {
    running.node.held.add(running.node.held.poll(10, TimeUnit.SECONDS));
  }

  private static ModelInferRequest request(String model) {
    return ModelInferRequest.newBuilder()
        .setModelName(model)
        .addInputs(
            InferInputTensor.newBuilder().setName("x").setDatatype("FP32").addShape(1).addShape(2))
        .addRawInputContents(ByteString.copyFrom(new byte[8]))
        .build();
  }
}
