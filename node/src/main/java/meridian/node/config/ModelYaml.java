package meridian.node.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.util.List;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.VersionPolicy;

/** Reads {@code model.yaml}. Every complaint has file, line and the key's path. */
final class ModelYaml {

  static final String FILE = "model.yaml";

  private static final ObjectMapper MAPPER =
      YAMLMapper.builder(
              YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .addModule(
              new SimpleModule()
                  .addDeserializer(VersionPolicy.class, new VersionPolicyReader())
                  .addDeserializer(ExecutionProvider.class, new ProviderReader())
                  .addDeserializer(Threads.class, new ThreadsReader()))
          .build();

  private ModelYaml() {}

  static SettingsLayer read(String text) throws ModelLoadException {
    try (JsonParser parser = MAPPER.createParser(text)) {
      return read(text, parser);
    } catch (IOException e) {
      throw new ModelLoadException(FILE + ": " + e.getMessage(), e);
    }
  }

  private static SettingsLayer read(String text, JsonParser parser)
      throws IOException, ModelLoadException {
    try {
      if (parser.nextToken() == null) {
        return SettingsLayer.EMPTY;
      }
      SettingsLayer layer = MAPPER.readValue(parser, SettingsLayer.class);
      if (parser.nextToken() != null) {
        int line = parser.currentTokenLocation().getLineNr();
        throw new ModelLoadException(where(line) + "a second document (expected: one)");
      }
      return layer == null ? SettingsLayer.EMPTY : layer;
    } catch (JsonMappingException e) {
      throw new ModelLoadException(where(lineOf(text, e)) + reason(e, parser), e);
    } catch (JsonProcessingException e) {
      throw new ModelLoadException(where(lineOf(e)) + ExpectedValue.firstLine(e), e);
    }
  }

  private static String where(int line) {
    return FILE + ":" + line + ": ";
  }

  /** Where a key starts; the exception has the place where the parser noticed, which is later. */
  private static int lineOf(String text, JsonMappingException e) throws IOException {
    JsonPointer pointer = JsonPointer.empty();
    for (JsonMappingException.Reference step : e.getPath()) {
      pointer =
          step.getFieldName() == null
              ? pointer.appendIndex(step.getIndex())
              : pointer.appendProperty(step.getFieldName());
    }
    try (JsonParser parser = MAPPER.createParser(text)) {
      while (parser.nextToken() != null) {
        if (parser.getParsingContext().pathAsPointer().equals(pointer)) {
          return parser.currentTokenLocation().getLineNr();
        }
      }
    }
    return lineOf(e);
  }

  /** 1 for what has no place, such as nesting beyond the parser's limit. */
  private static int lineOf(JsonProcessingException e) {
    return e.getLocation() == null ? 1 : e.getLocation().getLineNr();
  }

  private static String reason(JsonMappingException e, JsonParser parser) throws IOException {
    return switch (e) {
      case UnrecognizedPropertyException unknown -> unknownKey(unknown);
      case ValueInstantiationException invalid when invalid.getCause() != null ->
          parent(path(invalid)) + invalid.getCause().getMessage();
      default -> "%s: %s".formatted(path(e), ExpectedValue.refusal(e, value(parser)));
    };
  }

  private static String value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_ARRAY, END_ARRAY -> "a list";
      case START_OBJECT, END_OBJECT, FIELD_NAME -> "keys with values";
      case null -> "nothing";
      default -> parser.getText();
    };
  }

  private static String unknownKey(UnrecognizedPropertyException e) {
    List<String> known = e.getKnownPropertyIds().stream().map(Object::toString).sorted().toList();
    String expected =
        NearestName.among(known, e.getPropertyName())
            .map(name -> name + "?")
            .orElseGet(() -> "one of " + known);
    return "%s: unknown (expected: %s)".formatted(path(e), expected);
  }

  private static String path(JsonMappingException e) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference step : e.getPath()) {
      if (step.getFieldName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
      }
    }
    return path.toString();
  }

  private static String parent(String path) {
    return path.isEmpty() ? "" : path + '.';
  }
}
