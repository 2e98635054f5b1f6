package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.TensorSpec;

/** A configuration with config.pbtxt's names, whole numbers as numbers. */
final class ConfigurationJson {

  private ConfigurationJson() {}

  static void write(JsonGenerator out, ModelConfiguration config) throws IOException {
    out.writeStartObject();
    out.writeStringField("name", config.name());
    out.writeStringField("platform", config.platform());
    out.writeStringField("backend", config.backend());
    out.writeObjectFieldStart("version_policy");
    policy(out, config.versionPolicy());
    out.writeEndObject();
    out.writeNumberField("max_batch_size", config.maxBatchSize());
    inputs(out, config);
    outputs(out, config);
    instances(out, config);
    out.writeStringField("default_model_filename", config.defaultModelFilename());
    parameters(out, config.parameters());
    out.writeEndObject();
  }

  private static void policy(JsonGenerator out, VersionPolicy policy) throws IOException {
    switch (policy) {
      case VersionPolicy.Latest(int count) -> {
        out.writeObjectFieldStart("latest");
        out.writeNumberField("num_versions", count);
        out.writeEndObject();
      }
      case VersionPolicy.All() -> {
        out.writeObjectFieldStart("all");
        out.writeEndObject();
      }
      case VersionPolicy.Specific(List<Long> versions) -> {
        out.writeObjectFieldStart("specific");
        out.writeArrayFieldStart("versions");
        for (long version : versions) {
          out.writeNumber(version);
        }
        out.writeEndArray();
        out.writeEndObject();
      }
    }
  }

  private static void inputs(JsonGenerator out, ModelConfiguration config) throws IOException {
    out.writeArrayFieldStart("input");
    for (TensorSpec input : config.inputs()) {
      out.writeStartObject();
      tensor(out, input);
      if (input.optional()) {
        out.writeBooleanField("optional", true);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void outputs(JsonGenerator out, ModelConfiguration config) throws IOException {
    out.writeArrayFieldStart("output");
    for (TensorSpec output : config.outputs()) {
      out.writeStartObject();
      tensor(out, output);
      String labels = config.labelFiles().get(output.name());
      if (labels != null) {
        out.writeStringField("label_filename", labels);
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  private static void tensor(JsonGenerator out, TensorSpec spec) throws IOException {
    out.writeStringField("name", spec.name());
    out.writeStringField("data_type", ConfigTypes.of(spec.type()).name());
    DescriptionJson.dims(out, "dims", spec.shape());
  }

  private static void instances(JsonGenerator out, ModelConfiguration config) throws IOException {
    out.writeArrayFieldStart("instance_group");
    out.writeStartObject();
    out.writeStringField("name", config.name());
    out.writeStringField("kind", "KIND_AUTO");
    out.writeNumberField("count", config.instances());
    out.writeEndObject();
    out.writeEndArray();
  }

  private static void parameters(JsonGenerator out, Map<String, String> parameters)
      throws IOException {
    out.writeObjectFieldStart("parameters");
    for (Map.Entry<String, String> parameter : parameters.entrySet()) {
      out.writeObjectFieldStart(parameter.getKey());
      out.writeStringField("string_value", parameter.getValue());
      out.writeEndObject();
    }
    out.writeEndObject();
  }
}
