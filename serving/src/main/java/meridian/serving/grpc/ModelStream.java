package meridian.serving.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.proto.InferParameter;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.proto.ModelStreamInferResponse;
import meridian.protocol.Headers;
import meridian.protocol.ServerTiming;
import meridian.serving.exchange.Departure;
import meridian.serving.exchange.Report;
import meridian.serving.exchange.Terms;
import meridian.serving.exchange.Transport;
import meridian.serving.telemetry.Protocol;

/**
 * One stream of inferences, all on its event loop. Answers come in the order in which they are
 * done; the id tells which request they belong to. A request that fails is answered with {@code
 * error_message} beside its id, and the stream goes on. After the client's half-close the stream
 * ends once everything is answered.
 *
 * <p>A window bounds the requests under way; it opens again as answers are written, so a client
 * that does not read is not read from either.
 */
final class ModelStream implements StreamObserver<ModelInferRequest> {

  private final InferCalls endpoint;
  private final ServiceRequestContext context;
  private final Departure departure;
  private final ServerCallStreamObserver<ModelStreamInferResponse> observer;
  private int underWay;
  private int owed;
  private boolean halfClosed;
  private boolean gone;

  ModelStream(
      InferCalls endpoint,
      ServiceRequestContext context,
      ServerCallStreamObserver<ModelStreamInferResponse> observer) {
    this.endpoint = endpoint;
    this.context = context;
    this.departure = Departure.ofStream(context);
    this.observer = observer;
    observer.disableAutoRequest();
    observer.setOnCancelHandler(() -> gone = true);
    observer.setOnReadyHandler(this::reopen);
    observer.request(endpoint.streamWindow());
  }

  @Override
  public void onNext(ModelInferRequest request) {
    underWay++;
    endpoint.run(context, departure, Protocol.GRPC_STREAM, request, new Item(request));
  }

  /** The client has gone, which its {@link Departure} has told the requests under way. */
  @Override
  public void onError(Throwable error) {
    gone = true;
  }

  @Override
  public void onCompleted() {
    halfClosed = true;
    completeIfDone();
  }

  private void send(ModelStreamInferResponse response) {
    underWay--;
    if (gone) {
      return;
    }
    observer.onNext(response);
    owed++;
    reopen();
    completeIfDone();
  }

  /** Asking for more may bring more at once, and come back here. */
  private void reopen() {
    if (owed > 0 && !halfClosed && observer.isReady()) {
      int count = owed;
      owed = 0;
      observer.request(count);
    }
  }

  private void completeIfDone() {
    if (halfClosed && underWay == 0 && !gone) {
      gone = true;
      observer.onCompleted();
    }
  }

  private final class Item implements Transport<ModelInferResponse> {
    private final ModelInferRequest request;

    Item(ModelInferRequest request) {
      this.request = request;
    }

    @Override
    public Outcome<Incoming<ModelInferResponse>> decode(Terms terms) {
      return endpoint.decode(request, terms);
    }

    /** A stream has trailers only once, so the breakdown travels as a response parameter. */
    @Override
    public void answer(ModelInferResponse reply, Report report) {
      send(
          ModelStreamInferResponse.newBuilder()
              .setInferResponse(
                  reply.toBuilder()
                      .putParameters(
                          Headers.SERVER_TIMING,
                          InferParameter.newBuilder()
                              .setStringParam(ServerTiming.render(report.latency()))
                              .build()))
              .build());
    }

    @Override
    public void refuse(Problem problem, Report report) {
      send(
          ModelStreamInferResponse.newBuilder()
              .setErrorMessage(problem.message())
              .setInferResponse(
                  ModelInferResponse.newBuilder()
                      .setModelName(request.getModelName())
                      .setId(request.getId()))
              .build());
    }

    @Override
    public void release() {}
  }
}
