package meridian.protocol.control;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelDescription;
import meridian.core.model.Signature;
import meridian.core.model.VersionStatus;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.proto.ModelMetadataResponse;
import meridian.proto.ModelMetadataResponse.TensorMetadata;
import meridian.proto.ModelRepositoryParameter;
import meridian.proto.ModelRepositoryParameter.ParameterChoiceCase;
import meridian.proto.RepositoryIndexResponse;
import meridian.proto.RepositoryIndexResponse.ModelIndex;
import meridian.proto.RepositoryModelLoadRequest;
import meridian.proto.RepositoryModelUnloadRequest;
import meridian.proto.ServerMetadataResponse;

/**
 * Everything but inference over gRPC, save for {@link ConfigurationProto} and {@link
 * StatisticsProto}.
 */
public final class ControlProto {

  private ControlProto() {}

  public static ServerMetadataResponse server(ServerMetadata metadata) {
    return ServerMetadataResponse.newBuilder()
        .setName(metadata.name())
        .setVersion(metadata.version())
        .addAllExtensions(metadata.extensions())
        .build();
  }

  public static ServerMetadata decode(ServerMetadataResponse message) {
    return new ServerMetadata(message.getName(), message.getVersion(), message.getExtensionsList());
  }

  public static ModelMetadataResponse model(ModelDescription description) {
    ModelMetadataResponse.Builder out =
        ModelMetadataResponse.newBuilder()
            .setName(description.name())
            .addAllVersions(description.versions())
            .setPlatform(description.platform())
            .putAllProperties(description.properties());
    description.signature().inputs().forEach(spec -> out.addInputs(spec(spec)));
    description.signature().outputs().forEach(spec -> out.addOutputs(spec(spec)));
    return out.build();
  }

  private static TensorMetadata spec(TensorSpec spec) {
    TensorMetadata.Builder out =
        TensorMetadata.newBuilder().setName(spec.name()).setDatatype(spec.type().name());
    for (int i = 0; i < spec.shape().rank(); i++) {
      out.addShape(spec.shape().dim(i));
    }
    return out.build();
  }

  /** What the protocol does not carry is left open: not batched, the last version. */
  public static Outcome<ModelDescription> decode(ModelMetadataResponse message) {
    try {
      Signature signature =
          new Signature(
              specs("inputs", message.getInputsList()),
              specs("outputs", message.getOutputsList()),
              false);
      int versions = message.getVersionsCount();
      return Outcome.ok(
          new ModelDescription(
              message.getName(),
              versions == 0 ? "" : message.getVersions(versions - 1),
              message.getVersionsList(),
              message.getPlatform(),
              signature,
              message.getPropertiesMap()));
    } catch (ProblemException e) {
      return Outcome.failed(Problem.of(ErrorCode.INTERNAL, "response: " + e.getMessage()));
    }
  }

  private static List<TensorSpec> specs(String field, List<TensorMetadata> tensors)
      throws ProblemException {
    List<TensorSpec> specs = new ArrayList<>(tensors.size());
    for (int i = 0; i < tensors.size(); i++) {
      specs.add(spec(field + '[' + i + ']', tensors.get(i)));
    }
    if (specs.stream().map(TensorSpec::name).distinct().count() < specs.size()) {
      throw invalid(field, "a name twice", "each name once");
    }
    return specs;
  }

  private static TensorSpec spec(String path, TensorMetadata tensor) throws ProblemException {
    DataType type = DataType.named(tensor.getDatatype());
    if (type == null) {
      throw invalid(
          path + ".datatype",
          Quoted.of(tensor.getDatatype()),
          "one of " + Arrays.toString(DataType.values()));
    }
    long[] dims = tensor.getShapeList().stream().mapToLong(Long::longValue).toArray();
    if (Arrays.stream(dims).anyMatch(dim -> dim < Shape.ANY)) {
      throw invalid(path + ".shape", Arrays.toString(dims), "dimensions of -1 or more");
    }
    return new TensorSpec(tensor.getName(), type, Shape.of(dims), false);
  }

  public static RepositoryIndexResponse index(List<VersionStatus> index) {
    RepositoryIndexResponse.Builder out = RepositoryIndexResponse.newBuilder();
    for (VersionStatus status : index) {
      out.addModels(
          ModelIndex.newBuilder()
              .setName(status.name())
              .setVersion(status.version())
              .setState(status.state().name())
              .setReason(status.reason()));
    }
    return out.build();
  }

  public static List<VersionStatus> decode(RepositoryIndexResponse message) {
    return message.getModelsList().stream()
        .map(
            model ->
                new VersionStatus(
                    model.getName(),
                    model.getVersion(),
                    IndexJson.state(model.getState()),
                    model.getReason()))
        .toList();
  }

  public static Outcome<LoadRequest> decode(RepositoryModelLoadRequest message) {
    try {
      LoadParameters parameters = new LoadParameters();
      for (Map.Entry<String, ModelRepositoryParameter> each :
          message.getParametersMap().entrySet()) {
        parameter(each.getKey(), each.getValue(), parameters);
      }
      return Outcome.ok(parameters.request(message.getModelName()));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  private static void parameter(String name, ModelRepositoryParameter value, LoadParameters into)
      throws ProblemException {
    if (name.equals(LoadParameters.CONFIG)) {
      if (!value.hasStringParam()) {
        throw invalid("parameters." + name, kind(value), "STRING_PARAM");
      }
      into.config(value.getStringParam());
    } else if (LoadParameters.isFile(name)) {
      if (!value.hasBytesParam()) {
        throw invalid("parameters." + Quoted.clean(name), kind(value), "BYTES_PARAM");
      }
      into.file(name, value.getBytesParam().toByteArray());
    } else {
      throw LoadParameters.unknown(name);
    }
  }

  /** The model's name, where name and parameters are in order. */
  public static Outcome<String> decode(RepositoryModelUnloadRequest message) {
    try {
      LoadRequest checked = new LoadParameters().request(message.getModelName());
      for (Map.Entry<String, ModelRepositoryParameter> each :
          message.getParametersMap().entrySet()) {
        unloadParameter(each.getKey(), each.getValue());
      }
      return Outcome.ok(checked.name());
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  private static void unloadParameter(String name, ModelRepositoryParameter value)
      throws ProblemException {
    if (!name.equals(LoadParameters.UNLOAD_DEPENDENTS)) {
      throw LoadParameters.unknownOfUnload(name);
    }
    if (!value.hasBoolParam()) {
      throw invalid("parameters." + name, kind(value), "BOOL_PARAM");
    }
  }

  private static String kind(ModelRepositoryParameter value) {
    ParameterChoiceCase kind = value.getParameterChoiceCase();
    return kind == ParameterChoiceCase.PARAMETERCHOICE_NOT_SET ? "nothing" : kind.name();
  }

  public static RepositoryModelLoadRequest load(LoadRequest request) {
    RepositoryModelLoadRequest.Builder out =
        RepositoryModelLoadRequest.newBuilder().setModelName(request.name());
    if (request.configJson() != null) {
      out.putParameters(
          LoadParameters.CONFIG,
          ModelRepositoryParameter.newBuilder().setStringParam(request.configJson()).build());
    }
    request
        .files()
        .forEach(
            (path, content) ->
                out.putParameters(
                    LoadParameters.FILE + path,
                    ModelRepositoryParameter.newBuilder()
                        .setBytesParam(ByteString.copyFrom(content))
                        .build()));
    return out.build();
  }

  private static ProblemException invalid(String field, Object actual, String expected) {
    return new ProblemException(Problem.invalid(field, actual, expected));
  }
}
