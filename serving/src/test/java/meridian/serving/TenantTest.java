package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TenantTest {

  private final Running running = Running.start();

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void infer_tenantInTheHeader_isTheRequests() throws Exception {
    assertThat(tenantOf(held().header("Meridian-Tenant", "acme"))).isEqualTo("acme");
  }

  @Test
  void infer_noHeader_isOnBehalfOfNobody() throws Exception {
    assertThat(tenantOf(held())).isEmpty();
  }

  @Test
  void infer_tenantTooLong_isRefused() {
    HttpResponse<String> response = running.send(held().header("Meridian-Tenant", "x".repeat(129)));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .isEqualTo(
            "{\"error\":\"meridian-tenant: 129 characters (expected: 1 to 128 characters)\"}");
  }

  private String tenantOf(HttpRequest.Builder request) throws Exception {
    var answer = running.http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    held.finish();
    assertThat(answer.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    return held.request().tenant();
  }

  private HttpRequest.Builder held() {
    return running.to("/v2/models/held/infer").POST(BodyPublishers.ofString(Running.ECHO));
  }
}
