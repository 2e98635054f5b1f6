package meridian.cli.config;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import meridian.node.config.Threads;

/** Binds settings records to YAML: snake_case keys, {@code 10s} and {@code 64MiB} for amounts. */
final class SettingsMapper {

  private SettingsMapper() {}

  static ObjectMapper create() {
    SimpleModule units = new SimpleModule("units");
    add(units, Duration.class, Units::duration, Units::format);
    add(units, Path.class, Path::of, Path::toString);
    add(units, Threads.class, Threads::parse, Threads::toString);
    units.addDeserializer(long.class, new Amount<>(Long::parseLong, Function.identity()));
    units.addDeserializer(int.class, new Amount<>(Integer::parseInt, Math::toIntExact));
    return YAMLMapper.builder()
        .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
        .addModule(units)
        .build();
  }

  private static <T> void add(
      SimpleModule module, Class<T> type, Function<String, T> read, Function<T, String> write) {
    module.addDeserializer(
        type,
        new JsonDeserializer<>() {
          @Override
          public T deserialize(JsonParser parser, DeserializationContext context)
              throws IOException {
            return parser.currentToken().isScalarValue()
                ? read.apply(parser.getText())
                : type.cast(context.handleUnexpectedToken(type, parser));
          }
        });
    module.addSerializer(
        type,
        new JsonSerializer<>() {
          @Override
          public void serialize(T value, JsonGenerator out, SerializerProvider serializers)
              throws IOException {
            out.writeString(write.apply(value));
          }
        });
  }

  /** A whole number, or a size with its unit. */
  private static final class Amount<T extends Number> extends JsonDeserializer<T> {

    private final Function<String, T> number;
    private final Function<Long, T> size;

    Amount(Function<String, T> number, Function<Long, T> size) {
      this.number = number;
      this.size = size;
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      if (!parser.currentToken().isScalarValue()) {
        context.reportInputMismatch(
            Long.class, "%s (expected: a whole number)", context.readTree(parser));
      }
      String text = parser.getText();
      boolean hasUnit = parser.currentToken() == JsonToken.VALUE_STRING && text.endsWith("B");
      if (hasUnit) {
        return size.apply(Units.bytes(text));
      }
      try {
        return number.apply(text);
      } catch (NumberFormatException _) {
        throw new IllegalArgumentException(text + " (expected: a whole number)");
      }
    }
  }
}
