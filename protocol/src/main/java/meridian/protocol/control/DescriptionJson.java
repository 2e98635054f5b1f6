package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelDescription;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.protocol.json.JsonInput;

/** Metadata of models and of the server. */
final class DescriptionJson {

  private DescriptionJson() {}

  static void write(JsonGenerator out, ModelDescription model) throws IOException {
    out.writeStartObject();
    out.writeStringField("name", model.name());
    strings(out, "versions", model.versions());
    out.writeStringField("platform", model.platform());
    specs(out, "inputs", model.signature().inputs());
    specs(out, "outputs", model.signature().outputs());
    if (!model.properties().isEmpty()) {
      out.writeObjectFieldStart("properties");
      for (Map.Entry<String, String> property : model.properties().entrySet()) {
        out.writeStringField(property.getKey(), property.getValue());
      }
      out.writeEndObject();
    }
    out.writeEndObject();
  }

  private static void strings(JsonGenerator out, String field, List<String> values)
      throws IOException {
    out.writeArrayFieldStart(field);
    for (String value : values) {
      out.writeString(value);
    }
    out.writeEndArray();
  }

  private static void specs(JsonGenerator out, String field, List<TensorSpec> specs)
      throws IOException {
    out.writeArrayFieldStart(field);
    for (TensorSpec spec : specs) {
      out.writeStartObject();
      out.writeStringField("name", spec.name());
      out.writeStringField("datatype", spec.type().name());
      dims(out, "shape", spec.shape());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  static void dims(JsonGenerator out, String field, Shape shape) throws IOException {
    out.writeArrayFieldStart(field);
    for (int i = 0; i < shape.rank(); i++) {
      out.writeNumber(shape.dim(i));
    }
    out.writeEndArray();
  }

  /** What the protocol does not carry is left open: not batched, the last version. */
  static ModelDescription read(JsonInput in) throws IOException, ProblemException {
    String name = "";
    List<String> versions = List.of();
    String platform = "";
    List<TensorSpec> inputs = List.of();
    List<TensorSpec> outputs = List.of();
    Map<String, String> properties = Map.of();
    in.startObject();
    while (in.nextField()) {
      switch (in.name()) {
        case "name" -> name = in.string();
        case "versions" -> versions = strings(in);
        case "platform" -> platform = in.string();
        case "inputs" -> inputs = specs(in);
        case "outputs" -> outputs = specs(in);
        case "properties" -> properties = properties(in);
        default -> in.skip();
      }
    }
    String version = versions.isEmpty() ? "" : versions.getLast();
    return new ModelDescription(
        name, version, versions, platform, new Signature(inputs, outputs, false), properties);
  }

  static ServerMetadata readServer(JsonInput in) throws IOException, ProblemException {
    String name = "";
    String version = "";
    List<String> extensions = List.of();
    in.startObject();
    while (in.nextField()) {
      switch (in.name()) {
        case "name" -> name = in.string();
        case "version" -> version = in.string();
        case "extensions" -> extensions = strings(in);
        default -> in.skip();
      }
    }
    return new ServerMetadata(name, version, extensions);
  }

  private static List<String> strings(JsonInput in) throws IOException, ProblemException {
    List<String> values = new ArrayList<>();
    in.startArray();
    while (in.nextElement()) {
      values.add(in.currentString());
    }
    return values;
  }

  private static Map<String, String> properties(JsonInput in) throws IOException, ProblemException {
    Map<String, String> properties = new LinkedHashMap<>();
    in.startObject();
    while (in.nextField()) {
      properties.put(in.name(), in.string());
    }
    return properties;
  }

  private static List<TensorSpec> specs(JsonInput in) throws IOException, ProblemException {
    List<TensorSpec> specs = new ArrayList<>();
    in.startArray();
    while (in.nextElement()) {
      in.requireObject();
      specs.add(spec(in));
    }
    return distinct(in, specs);
  }

  private static List<TensorSpec> distinct(JsonInput in, List<TensorSpec> specs)
      throws ProblemException {
    if (specs.stream().map(TensorSpec::name).distinct().count() < specs.size()) {
      throw JsonInput.invalid(in.path(), "a name twice", "each name once");
    }
    return specs;
  }

  private static TensorSpec spec(JsonInput in) throws IOException, ProblemException {
    String path = in.path();
    String name = "";
    DataType type = null;
    Shape shape = Shape.SCALAR;
    while (in.nextField()) {
      switch (in.name()) {
        case "name" -> name = in.string();
        case "datatype" -> type = DataType.named(in.string());
        case "shape" -> shape = dims(in);
        default -> in.skip();
      }
    }
    if (type == null) {
      throw JsonInput.invalid(path + ".datatype", "missing or unknown", "a type of the protocol");
    }
    return new TensorSpec(name, type, shape, false);
  }

  private static Shape dims(JsonInput in) throws IOException, ProblemException {
    List<Long> dims = new ArrayList<>();
    in.startArray();
    while (in.nextElement()) {
      dims.add(in.integer(Shape.ANY, Long.MAX_VALUE, "a whole number from -1 to 2^63-1"));
    }
    return Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
  }
}
