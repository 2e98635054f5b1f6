package meridian.serving.admin;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.AbstractHttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.CompletableFuture;
import meridian.serving.telemetry.Metrics;

/** {@code GET /metrics}, in the format that the reader prefers. */
public final class MetricsService extends AbstractHttpService {

  private final Metrics metrics;

  public MetricsService(Metrics metrics) {
    this.metrics = metrics;
  }

  @Override
  protected HttpResponse doGet(ServiceRequestContext context, HttpRequest request) {
    String accept = request.headers().get(HttpHeaderNames.ACCEPT);
    return HttpResponse.of(
        CompletableFuture.supplyAsync(() -> metrics.expose(accept), context.blockingTaskExecutor())
            .thenApply(MetricsService::response));
  }

  private static HttpResponse response(Metrics.Exposition exposition) {
    return HttpResponse.of(
        HttpStatus.OK, MediaType.parse(exposition.contentType()), HttpData.wrap(exposition.body()));
  }
}
