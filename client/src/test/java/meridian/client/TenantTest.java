package meridian.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.Server;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import meridian.core.infer.InferRequest;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TenantTest {

  private final LinkedBlockingQueue<Optional<String>> tenants = new LinkedBlockingQueue<>();
  private final Server server =
      Server.builder()
          .http(0)
          .service(
              "prefix:/",
              (_, request) -> {
                tenants.add(Optional.ofNullable(request.headers().get("meridian-tenant")));
                return HttpResponse.of(HttpStatus.SERVICE_UNAVAILABLE);
              })
          .build();

  @AfterEach
  void stop() {
    server.stop().join();
  }

  @ParameterizedTest
  @EnumSource
  void infer_onBehalfOfATenant_saysSoToTheServer(Wire wire) throws Exception {
    server.start().join();
    InferRequest request =
        InferRequest.of("m", List.of(new NamedTensor("x", Tensor.ofFloats(Shape.of(1, 1), 1))));
    try (MeridianClient client =
        MeridianClient.connect(URI.create("http://127.0.0.1:" + server.activeLocalPort()), wire)) {
      client.infer(request.withTenant("acme")).toCompletableFuture().get(30, TimeUnit.SECONDS);
      client.infer(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
    assertThat(tenants).containsExactly(Optional.of("acme"), Optional.empty());
  }
}
