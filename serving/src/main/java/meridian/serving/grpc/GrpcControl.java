package meridian.serving.grpc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelControl;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelName;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.proto.ModelConfigRequest;
import meridian.proto.ModelConfigResponse;
import meridian.proto.ModelMetadataRequest;
import meridian.proto.ModelMetadataResponse;
import meridian.proto.ModelReadyRequest;
import meridian.proto.ModelReadyResponse;
import meridian.proto.ModelStatisticsRequest;
import meridian.proto.ModelStatisticsResponse;
import meridian.proto.RepositoryIndexRequest;
import meridian.proto.RepositoryIndexResponse;
import meridian.proto.RepositoryModelLoadRequest;
import meridian.proto.RepositoryModelUnloadRequest;
import meridian.proto.ServerMetadataResponse;
import meridian.protocol.control.ConfigurationProto;
import meridian.protocol.control.ControlProto;
import meridian.protocol.control.ServerMetadata;
import meridian.protocol.control.StatisticsProto;
import meridian.serving.exchange.Readiness;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything but inference, between messages and core. */
public record GrpcControl(
    ServerMetadata metadata, ModelCatalog catalog, ModelControl control, Readiness readiness) {

  private static final Logger LOG = LoggerFactory.getLogger(GrpcControl.class);

  ServerMetadataResponse server() {
    return ControlProto.server(metadata);
  }

  Outcome<ModelReadyResponse> modelReady(ModelReadyRequest request) {
    return switch (describe("name", request.getName(), request.getVersion())) {
      case Outcome.Ok<ModelDescription> _ -> ready(true);
      case Outcome.Failed<ModelDescription>(Problem problem)
          when problem.code() == ErrorCode.UNAVAILABLE ->
          ready(false);
      case Outcome.Failed<ModelDescription>(Problem problem) -> Outcome.failed(problem);
    };
  }

  private static Outcome<ModelReadyResponse> ready(boolean ready) {
    return Outcome.ok(ModelReadyResponse.newBuilder().setReady(ready).build());
  }

  Outcome<ModelMetadataResponse> metadata(ModelMetadataRequest request) {
    return describe("name", request.getName(), request.getVersion()).map(ControlProto::model);
  }

  private Outcome<ModelDescription> describe(String field, String name, String version) {
    Problem problem = ModelName.check(field, name);
    return problem == null ? catalog.describe(name, orNull(version)) : Outcome.failed(problem);
  }

  Outcome<ModelConfigResponse> configuration(ModelConfigRequest request) {
    Problem problem = ModelName.check("name", request.getName());
    return problem == null
        ? catalog
            .configuration(request.getName(), orNull(request.getVersion()))
            .map(ConfigurationProto::encode)
        : Outcome.failed(problem);
  }

  Outcome<ModelStatisticsResponse> statistics(ModelStatisticsRequest request) {
    String name = orNull(request.getName());
    Problem problem = name == null ? null : ModelName.check("name", name);
    return problem == null
        ? catalog.statistics(name, orNull(request.getVersion())).map(StatisticsProto::encode)
        : Outcome.failed(problem);
  }

  RepositoryIndexResponse index(RepositoryIndexRequest request) {
    List<VersionStatus> all = catalog.index();
    return ControlProto.index(
        request.getReady()
            ? all.stream().filter(version -> version.state() == ModelState.READY).toList()
            : all);
  }

  CompletionStage<Outcome<List<VersionStatus>>> load(RepositoryModelLoadRequest request) {
    return switch (ControlProto.decode(request)) {
      case Outcome.Ok<LoadRequest>(LoadRequest load) -> control.load(load);
      case Outcome.Failed<LoadRequest>(Problem problem) ->
          CompletableFuture.completedStage(Outcome.failed(problem));
    };
  }

  CompletionStage<Outcome<List<VersionStatus>>> unload(RepositoryModelUnloadRequest request) {
    return switch (ControlProto.decode(request)) {
      case Outcome.Ok<String>(String name) -> control.unload(name);
      case Outcome.Failed<String>(Problem problem) ->
          CompletableFuture.completedStage(Outcome.failed(problem));
    };
  }

  static <T> Outcome<T> bug(Throwable error) {
    LOG.error("A call failed by a fault of the server", error);
    return Outcome.failed(
        Problem.of(ErrorCode.INTERNAL, "server: failed on this request; its log says why"));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
