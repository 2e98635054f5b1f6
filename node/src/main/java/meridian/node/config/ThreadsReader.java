package meridian.node.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;

/** {@code auto}, or a number. */
final class ThreadsReader extends StdDeserializer<Threads> {

  private static final long serialVersionUID = 1L;

  ThreadsReader() {
    super(Threads.class);
  }

  @Override
  public Threads deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    JsonNode node = context.readTree(parser);
    try {
      return Threads.parse(node.isValueNode() ? node.asText() : node.toString());
    } catch (IllegalArgumentException e) {
      return context.reportInputMismatch(this, "%s", e.getMessage());
    }
  }
}
