package meridian.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * A log event as one flat JSON object on a line of its own. Key-values of the event are fields
 * beside the fixed ones, whose names they cannot take: {@code level} comes as {@code level_}.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {

  private static final byte[] NOTHING = {};
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final List<String> FIXED =
      List.of(
          "timestamp",
          "level",
          "logger",
          "thread",
          "message",
          "error",
          "error_message",
          "error_stack");

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("timestamp", event.getInstant().toString());
    line.put("level", event.getLevel().toString());
    line.put("logger", event.getLoggerName());
    line.put("thread", event.getThreadName());
    line.put("message", event.getFormattedMessage());
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> put(line, pair));
    }
    IThrowableProxy error = event.getThrowableProxy();
    if (error != null) {
      line.put("error", error.getClassName());
      line.put("error_message", error.getMessage());
      line.put("error_stack", ThrowableProxyUtil.asString(error));
    }
    return bytes(line);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  private static void put(ObjectNode line, KeyValuePair pair) {
    String name = FIXED.contains(pair.key) ? pair.key + '_' : pair.key;
    put(line, name, pair.value);
  }

  private static void put(ObjectNode line, String name, @Nullable Object value) {
    switch (value) {
      case null -> line.putNull(name);
      case Boolean flag -> line.put(name, flag);
      case Integer number -> line.put(name, number);
      case Long number -> line.put(name, number);
      case Double number when Double.isFinite(number) -> line.put(name, number);
      default -> line.put(name, value.toString());
    }
  }

  private static byte[] bytes(ObjectNode line) {
    try {
      return (MAPPER.writeValueAsString(line) + '\n').getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("text and numbers have a form in JSON", e);
    }
  }
}
