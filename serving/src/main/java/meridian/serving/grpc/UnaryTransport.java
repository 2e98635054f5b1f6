package meridian.serving.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.StreamObserver;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Headers;
import meridian.protocol.ServerTiming;
import meridian.serving.exchange.Report;
import meridian.serving.exchange.Terms;
import meridian.serving.exchange.Transport;

/** One unary request for inference. */
final class UnaryTransport implements Transport<ModelInferResponse> {

  private final InferCalls endpoint;
  private final ServiceRequestContext context;
  private final ModelInferRequest request;
  private final StreamObserver<ModelInferResponse> observer;

  UnaryTransport(
      InferCalls endpoint,
      ServiceRequestContext context,
      ModelInferRequest request,
      StreamObserver<ModelInferResponse> observer) {
    this.endpoint = endpoint;
    this.context = context;
    this.request = request;
    this.observer = observer;
  }

  @Override
  public Outcome<Incoming<ModelInferResponse>> decode(Terms terms) {
    return endpoint.decode(request, terms);
  }

  @Override
  public void answer(ModelInferResponse reply, Report report) {
    describe(report);
    observer.onNext(reply);
    observer.onCompleted();
  }

  @Override
  public void refuse(Problem problem, Report report) {
    describe(report);
    observer.onError(GrpcReplies.exception(problem));
  }

  /** The message holds memory of its own. */
  @Override
  public void release() {}

  private void describe(Report report) {
    context.mutateAdditionalResponseTrailers(
        trailers -> {
          trailers.add(Headers.SERVER_TIMING, ServerTiming.render(report.latency()));
          if (report.code() == null && report.version() != null) {
            trailers.add(Headers.MODEL_VERSION, report.version());
          }
          if (!endpoint.region().isEmpty()) {
            trailers.add(Headers.REGION, endpoint.region());
          }
        });
  }
}
