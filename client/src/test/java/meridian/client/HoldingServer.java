package meridian.client;

import com.linecorp.armeria.common.CommonPools;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.proto.GRPCInferenceServiceGrpc;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;

/** Knows no model, but says so only once it is told to; counts what comes meanwhile. */
final class HoldingServer implements AutoCloseable {

  private final CompletableFuture<Void> released = new CompletableFuture<>();
  private final CompletableFuture<Void> enough = new CompletableFuture<>();
  private final AtomicInteger arrived = new AtomicInteger();
  private final AtomicInteger mostConnections = new AtomicInteger();
  private final int awaited;
  private final Server server;

  /**
   * @param awaited how many requests {@link #awaitArrivals} waits for
   */
  HoldingServer(int streamsPerConnection, int awaited) {
    this.awaited = awaited;
    this.server =
        Server.builder()
            .http(0)
            .http2MaxStreamsPerConnection(streamsPerConnection)
            .workerGroup(CommonPools.workerGroup(), false)
            .requestTimeoutMillis(0)
            .service("/v2/models/{model}/infer", (_, _) -> rest())
            .service(GrpcService.builder().addService(new Grpc()).build())
            .build();
    server.start().join();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.activeLocalPort());
  }

  void awaitArrivals() {
    enough.join();
  }

  void release() {
    released.complete(null);
  }

  int arrived() {
    return arrived.get();
  }

  int mostConnections() {
    return mostConnections.get();
  }

  private void arrive() {
    mostConnections.accumulateAndGet(server.numConnections(), Math::max);
    if (arrived.incrementAndGet() == awaited) {
      enough.complete(null);
    }
  }

  private HttpResponse rest() {
    arrive();
    return HttpResponse.of(
        released.thenApply(
            _ ->
                HttpResponse.of(HttpStatus.NOT_FOUND, MediaType.JSON, "{\"error\":\"no model\"}")));
  }

  @Override
  public void close() {
    release();
    server.stop().join();
  }

  private final class Grpc extends GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase {
    @Override
    public void modelInfer(ModelInferRequest request, StreamObserver<ModelInferResponse> answer) {
      arrive();
      var _ = released.thenRun(() -> answer.onError(Status.NOT_FOUND.asRuntimeException()));
    }
  }
}
