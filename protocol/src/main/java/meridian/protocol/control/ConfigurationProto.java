package meridian.protocol.control;

import java.util.List;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.TensorSpec;
import meridian.proto.ModelConfig;
import meridian.proto.ModelConfigResponse;
import meridian.proto.ModelInput;
import meridian.proto.ModelInstanceGroup;
import meridian.proto.ModelOutput;
import meridian.proto.ModelParameter;
import meridian.proto.ModelVersionPolicy;

/** A configuration as the config call gives it. */
public final class ConfigurationProto {

  private ConfigurationProto() {}

  public static ModelConfigResponse encode(ModelConfiguration config) {
    ModelConfig.Builder out =
        ModelConfig.newBuilder()
            .setName(config.name())
            .setPlatform(config.platform())
            .setBackend(config.backend())
            .setVersionPolicy(policy(config.versionPolicy()))
            .setMaxBatchSize(config.maxBatchSize())
            .setDefaultModelFilename(config.defaultModelFilename())
            .addInstanceGroup(
                ModelInstanceGroup.newBuilder()
                    .setName(config.name())
                    .setKind(ModelInstanceGroup.Kind.KIND_AUTO)
                    .setCount(config.instances()));
    config.inputs().forEach(spec -> out.addInput(input(spec)));
    config.outputs().forEach(spec -> out.addOutput(output(config, spec)));
    config
        .parameters()
        .forEach(
            (name, value) ->
                out.putParameters(name, ModelParameter.newBuilder().setStringValue(value).build()));
    return ModelConfigResponse.newBuilder().setConfig(out).build();
  }

  private static ModelVersionPolicy policy(VersionPolicy policy) {
    ModelVersionPolicy.Builder out = ModelVersionPolicy.newBuilder();
    return switch (policy) {
      case VersionPolicy.Latest(int count) ->
          out.setLatest(ModelVersionPolicy.Latest.newBuilder().setNumVersions(count)).build();
      case VersionPolicy.All() -> out.setAll(ModelVersionPolicy.All.getDefaultInstance()).build();
      case VersionPolicy.Specific(List<Long> versions) ->
          out.setSpecific(ModelVersionPolicy.Specific.newBuilder().addAllVersions(versions))
              .build();
    };
  }

  private static ModelInput input(TensorSpec spec) {
    ModelInput.Builder out =
        ModelInput.newBuilder()
            .setName(spec.name())
            .setDataType(ConfigTypes.of(spec.type()))
            .setOptional(spec.optional());
    for (int i = 0; i < spec.shape().rank(); i++) {
      out.addDims(spec.shape().dim(i));
    }
    return out.build();
  }

  private static ModelOutput output(ModelConfiguration config, TensorSpec spec) {
    ModelOutput.Builder out =
        ModelOutput.newBuilder()
            .setName(spec.name())
            .setDataType(ConfigTypes.of(spec.type()))
            .setLabelFilename(config.labelFiles().getOrDefault(spec.name(), ""));
    for (int i = 0; i < spec.shape().rank(); i++) {
      out.addDims(spec.shape().dim(i));
    }
    return out.build();
  }
}
