package meridian.benchmarks;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.Server;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The least that a server built on Armeria can cost: it asks another server once for each path and
 * answers with the same headers, bytes and trailers from then on, whatever the request.
 */
public final class Echo {

  private final Map<String, CompletableFuture<AggregatedHttpResponse>> answers =
      new ConcurrentHashMap<>();
  private final WebClient upstream;

  private Echo(String upstream) {
    this.upstream = WebClient.of(upstream);
  }

  /** Arguments: the URL of the server whose answers to give, and the port to listen on. */
  public static void main(String[] arguments) {
    Echo echo = new Echo(arguments[0]);
    Server server =
        Server.builder()
            .localPort(Integer.parseInt(arguments[1]), SessionProtocol.HTTP)
            .serviceUnder("/", (_, request) -> echo.answer(request))
            .build();
    var _ = server.closeOnJvmShutdown();
    server.start().join();
  }

  private HttpResponse answer(HttpRequest request) {
    return HttpResponse.of(request.aggregate().thenCompose(this::recorded));
  }

  private CompletableFuture<HttpResponse> recorded(AggregatedHttpRequest request) {
    return answers
        .computeIfAbsent(request.path(), _ -> upstream.execute(request.toHttpRequest()).aggregate())
        .thenApply(AggregatedHttpResponse::toHttpResponse);
  }
}
