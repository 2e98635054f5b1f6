package meridian.node.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import meridian.core.backend.ModelLoadException;
import meridian.proto.ModelConfig;
import org.jspecify.annotations.Nullable;

/** Reads the {@code config} parameter of a load request: JSON with config.pbtxt's names. */
final class JsonConfig {

  static final String SOURCE = "parameters.config";
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final List<String> unused = new ArrayList<>();

  private JsonConfig() {}

  static TritonConfig read(String json) throws ModelLoadException {
    return new JsonConfig().parse(json);
  }

  private TritonConfig parse(String json) throws ModelLoadException {
    ModelConfig.Builder config = ModelConfig.newBuilder();
    try {
      if (!(MAPPER.readTree(json) instanceof ObjectNode root)) {
        throw new ModelLoadException(SOURCE + ": no JSON object");
      }
      removeUnused(SOURCE, root, ModelConfig.getDescriptor());
      JsonFormat.parser().merge(MAPPER.writeValueAsString(root), config);
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (InvalidProtocolBufferException e) {
      throw new ModelLoadException(SOURCE + ": " + e.getMessage(), e);
    }
    return new TritonConfig(config.build(), unused);
  }

  private static ModelLoadException malformed(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String reason =
        at == null
            ? SOURCE + ": nested too deeply"
            : "%s:%d: not well-formed at column %d"
                .formatted(SOURCE, at.getLineNr(), at.getColumnNr());
    return new ModelLoadException(reason + " (expected: one JSON object, no name twice)", e);
  }

  private void removeUnused(String path, ObjectNode object, Descriptor type)
      throws ModelLoadException {
    List<String> toRemove = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      String name = entry.getKey();
      FieldDescriptor field = field(type, name);
      if (field != null) {
        descend(path + '.' + name, entry.getValue(), field);
      } else if (TritonFields.isWithoutMeaning(type.getName() + '.' + name)) {
        toRemove.add(name);
      } else {
        throw new ModelLoadException(path + '.' + name + ": " + refusal(type, name));
      }
    }
    object.remove(toRemove);
    toRemove.stream().filter(name -> !unused.contains(name)).forEach(unused::add);
  }

  private void descend(String path, JsonNode value, FieldDescriptor field)
      throws ModelLoadException {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || field.isMapField()) {
      return;
    }
    if (value instanceof ObjectNode object) {
      removeUnused(path, object, field.getMessageType());
    }
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        descend(path + '[' + i + ']', value.get(i), field);
      }
    }
  }

  private static @Nullable FieldDescriptor field(Descriptor type, String name) {
    for (FieldDescriptor field : type.getFields()) {
      if (field.getName().equals(name) || field.getJsonName().equals(name)) {
        return field;
      }
    }
    return null;
  }

  private static String refusal(Descriptor type, String name) {
    return TritonFields.refusal(
        type.getName() + '.' + name,
        type.getFields().stream().map(FieldDescriptor::getName).toList());
  }
}
