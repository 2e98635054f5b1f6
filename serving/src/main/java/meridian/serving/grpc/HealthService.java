package meridian.serving.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthImplBase;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelDescription;
import meridian.proto.GRPCInferenceServiceGrpc;
import meridian.serving.exchange.Readiness;

/**
 * The standard health service. The empty name and that of the inference service stand for the
 * server, any other for a model. A watch looks at regular intervals, and at once when the server is
 * about to leave.
 */
final class HealthService extends HealthImplBase {

  private final ModelCatalog catalog;
  private final Readiness readiness;
  private final Duration interval;
  private final Set<HealthWatch> watches = ConcurrentHashMap.newKeySet();

  HealthService(ModelCatalog catalog, Readiness readiness, Duration interval) {
    this.catalog = catalog;
    this.readiness = readiness;
    this.interval = interval;
    readiness.onLeave(() -> watches.forEach(HealthWatch::lookSoon));
  }

  @Override
  public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    ServingStatus status = status(request.getService());
    if (status == ServingStatus.SERVICE_UNKNOWN) {
      observer.onError(
          Status.NOT_FOUND
              .withDescription("service: unknown (expected: empty, or the name of a model)")
              .asException());
      return;
    }
    observer.onNext(response(status));
    observer.onCompleted();
  }

  @Override
  public void watch(HealthCheckRequest request, StreamObserver<HealthCheckResponse> observer) {
    HealthWatch watch =
        new HealthWatch(
            ServiceRequestContext.current().eventLoop(),
            () -> status(request.getService()),
            status -> observer.onNext(response(status)));
    ((ServerCallStreamObserver<HealthCheckResponse>) observer)
        .setOnCancelHandler(
            () -> {
              watches.remove(watch);
              watch.stop();
            });
    watches.add(watch);
    watch.start(interval);
  }

  private ServingStatus status(String service) {
    if (service.isEmpty() || service.equals(GRPCInferenceServiceGrpc.SERVICE_NAME)) {
      return serving(readiness.ready());
    }
    return switch (catalog.describe(service, null)) {
      case Outcome.Ok<ModelDescription> _ -> serving(readiness.serving());
      case Outcome.Failed<ModelDescription>(Problem problem)
          when problem.code() == ErrorCode.UNAVAILABLE ->
          ServingStatus.NOT_SERVING;
      case Outcome.Failed<ModelDescription> _ -> ServingStatus.SERVICE_UNKNOWN;
    };
  }

  private static ServingStatus serving(boolean yes) {
    return yes ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }
}
