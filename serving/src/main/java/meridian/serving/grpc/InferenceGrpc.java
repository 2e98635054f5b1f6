package meridian.serving.grpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletionStage;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase;
import meridian.proto.ModelConfigRequest;
import meridian.proto.ModelConfigResponse;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.proto.ModelMetadataRequest;
import meridian.proto.ModelMetadataResponse;
import meridian.proto.ModelReadyRequest;
import meridian.proto.ModelReadyResponse;
import meridian.proto.ModelStatisticsRequest;
import meridian.proto.ModelStatisticsResponse;
import meridian.proto.ModelStreamInferResponse;
import meridian.proto.RepositoryIndexRequest;
import meridian.proto.RepositoryIndexResponse;
import meridian.proto.RepositoryModelLoadRequest;
import meridian.proto.RepositoryModelLoadResponse;
import meridian.proto.RepositoryModelUnloadRequest;
import meridian.proto.RepositoryModelUnloadResponse;
import meridian.proto.ServerLiveRequest;
import meridian.proto.ServerLiveResponse;
import meridian.proto.ServerMetadataRequest;
import meridian.proto.ServerMetadataResponse;
import meridian.proto.ServerReadyRequest;
import meridian.proto.ServerReadyResponse;
import meridian.serving.exchange.Departure;
import meridian.serving.telemetry.Protocol;

/** The inference service, answered on the event loop that the call came by. */
final class InferenceGrpc extends GRPCInferenceServiceImplBase {

  private final InferCalls calls;
  private final GrpcControl control;

  InferenceGrpc(InferCalls calls, GrpcControl control) {
    this.calls = calls;
    this.control = control;
  }

  @Override
  public void modelInfer(ModelInferRequest request, StreamObserver<ModelInferResponse> observer) {
    ServiceRequestContext context = ServiceRequestContext.current();
    ignoreCancel(observer);
    calls.run(
        context,
        Departure.ofCall(context),
        Protocol.GRPC,
        request,
        new UnaryTransport(calls, context, request, observer));
  }

  @Override
  public StreamObserver<ModelInferRequest> modelStreamInfer(
      StreamObserver<ModelStreamInferResponse> observer) {
    return new ModelStream(
        calls,
        ServiceRequestContext.current(),
        (ServerCallStreamObserver<ModelStreamInferResponse>) observer);
  }

  @Override
  public void serverLive(ServerLiveRequest request, StreamObserver<ServerLiveResponse> observer) {
    answer(observer, Outcome.ok(ServerLiveResponse.newBuilder().setLive(true).build()));
  }

  @Override
  public void serverReady(
      ServerReadyRequest request, StreamObserver<ServerReadyResponse> observer) {
    answer(
        observer,
        Outcome.ok(ServerReadyResponse.newBuilder().setReady(control.readiness().ready()).build()));
  }

  @Override
  public void modelReady(ModelReadyRequest request, StreamObserver<ModelReadyResponse> observer) {
    answer(observer, control.modelReady(request));
  }

  @Override
  public void serverMetadata(
      ServerMetadataRequest request, StreamObserver<ServerMetadataResponse> observer) {
    answer(observer, Outcome.ok(control.server()));
  }

  @Override
  public void modelMetadata(
      ModelMetadataRequest request, StreamObserver<ModelMetadataResponse> observer) {
    answer(observer, control.metadata(request));
  }

  @Override
  public void modelConfig(
      ModelConfigRequest request, StreamObserver<ModelConfigResponse> observer) {
    answer(observer, control.configuration(request));
  }

  @Override
  public void modelStatistics(
      ModelStatisticsRequest request, StreamObserver<ModelStatisticsResponse> observer) {
    answer(observer, control.statistics(request));
  }

  @Override
  public void repositoryIndex(
      RepositoryIndexRequest request, StreamObserver<RepositoryIndexResponse> observer) {
    answer(observer, Outcome.ok(control.index(request)));
  }

  @Override
  public void repositoryModelLoad(
      RepositoryModelLoadRequest request, StreamObserver<RepositoryModelLoadResponse> observer) {
    answerLater(observer, control.load(request), RepositoryModelLoadResponse.getDefaultInstance());
  }

  @Override
  public void repositoryModelUnload(
      RepositoryModelUnloadRequest request,
      StreamObserver<RepositoryModelUnloadResponse> observer) {
    answerLater(
        observer, control.unload(request), RepositoryModelUnloadResponse.getDefaultInstance());
  }

  private static <R> void answer(StreamObserver<R> observer, Outcome<R> outcome) {
    switch (outcome) {
      case Outcome.Ok<R>(R response) -> {
        observer.onNext(response);
        observer.onCompleted();
      }
      case Outcome.Failed<R>(Problem problem) -> observer.onError(GrpcReplies.exception(problem));
    }
  }

  private static <R, T> void answerLater(
      StreamObserver<R> observer, CompletionStage<Outcome<T>> stage, R response) {
    ignoreCancel(observer);
    stage
        .exceptionally(GrpcControl::bug)
        .thenAccept(outcome -> answer(observer, outcome.map(_ -> response)));
  }

  /** Without a handler of its own an observer throws when somebody answers who came too late. */
  private static void ignoreCancel(StreamObserver<?> observer) {
    ((ServerCallStreamObserver<?>) observer).setOnCancelHandler(() -> {});
  }
}
