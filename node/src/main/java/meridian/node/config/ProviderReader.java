package meridian.node.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import meridian.core.backend.Backend.ExecutionProvider;

/** A provider's name, or its name over its options: {@code cuda: {device_id: 1}}. */
final class ProviderReader extends StdDeserializer<ExecutionProvider> {

  private static final long serialVersionUID = 1L;

  ProviderReader() {
    super(ExecutionProvider.class);
  }

  @Override
  public ExecutionProvider deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    JsonNode node = context.readTree(parser);
    if (node.isTextual()) {
      return provider(node.textValue(), Map.of());
    }
    if (node.isObject() && node.size() == 1) {
      Map.Entry<String, JsonNode> entry = node.properties().iterator().next();
      if (entry.getValue().isObject()) {
        return provider(entry.getKey(), options(entry.getValue()));
      }
    }
    return context.reportInputMismatch(
        this, "%s (expected: a name, or a name over its options)", node);
  }

  private static ExecutionProvider provider(String name, Map<String, String> options) {
    return new ExecutionProvider(name.toLowerCase(Locale.ROOT), options);
  }

  private static Map<String, String> options(JsonNode node) {
    Map<String, String> options = new LinkedHashMap<>();
    node.properties().forEach(option -> options.put(option.getKey(), option.getValue().asText()));
    return options;
  }
}
