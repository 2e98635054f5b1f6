package meridian.cli.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import meridian.node.config.ExpectedValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings: a flag goes over an environment variable, that over the file, that over the
 * default.
 *
 * @param <T> the record that holds them
 */
public final class ConfigLoader<T> {

  private static final Pattern CAMEL_HUMP = Pattern.compile("(?<=[a-z])[A-Z]");

  private final ObjectMapper mapper = SettingsMapper.create();
  private final Class<T> type;
  private final ObjectNode defaults;

  public ConfigLoader(Class<T> type, T defaults) {
    this.type = type;
    this.defaults = mapper.valueToTree(defaults);
  }

  /** Every key with its default, in order; the value as it would stand in the file. */
  public Map<String, String> defaults() {
    ConfigTree tree = new ConfigTree(defaults);
    return tree.keys().stream()
        .collect(
            Collectors.toMap(
                key -> key,
                key -> text(defaults.at("/" + key.replace('.', '/'))),
                (a, _) -> a,
                LinkedHashMap::new));
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }

  /**
   * @param file null when there is none
   * @param environment all variables of the process
   * @param flags by dotted key
   */
  public T load(@Nullable Path file, Map<String, String> environment, Map<String, String> flags)
      throws ConfigException {
    ConfigTree tree = new ConfigTree(defaults);
    if (file != null) {
      overlayFile(tree, file);
    }
    tree.environment(environment);
    for (Map.Entry<String, String> flag : flags.entrySet()) {
      tree.set(flag.getKey(), flag.getValue());
    }
    return bind(tree.root());
  }

  private void overlayFile(ConfigTree tree, Path file) throws ConfigException {
    try {
      JsonNode settings = mapper.readTree(Files.readString(file));
      if (settings instanceof ObjectNode section) {
        tree.overlay(section);
      } else if (!settings.isMissingNode() && !settings.isNull()) {
        throw new ConfigException("top level: " + settings + " (expected: sections)");
      }
    } catch (ConfigException wrong) {
      throw new ConfigException(file + ": " + wrong.getMessage());
    } catch (NoSuchFileException _) {
      throw new ConfigException(file + ": no such file");
    } catch (JsonProcessingException wrong) {
      throw new ConfigException(file + line(wrong) + ": " + ExpectedValue.firstLine(wrong));
    } catch (IOException wrong) {
      throw new ConfigException(file + ": " + wrong.getMessage());
    }
  }

  /** Empty for what has no place, such as nesting beyond the parser's limit. */
  private static String line(JsonProcessingException wrong) {
    return wrong.getLocation() == null ? "" : ":" + wrong.getLocation().getLineNr();
  }

  private T bind(ObjectNode root) throws ConfigException {
    try {
      return mapper.treeToValue(root, type);
    } catch (JsonMappingException wrong) {
      throw new ConfigException(path(wrong) + ": " + reason(root, wrong));
    } catch (JsonProcessingException wrong) {
      throw new ConfigException(wrong.getOriginalMessage());
    }
  }

  private static String path(JsonMappingException wrong) {
    List<String> steps =
        wrong.getPath().stream()
            .map(step -> step.getFieldName() == null ? "" + step.getIndex() : step.getFieldName())
            .toList();
    return String.join(".", steps);
  }

  /** The message of the record that refused, its field in the spelling of the file. */
  private static String reason(ObjectNode root, JsonMappingException wrong) {
    Throwable cause = wrong.getCause();
    if (!(cause instanceof IllegalArgumentException)) {
      return ExpectedValue.refusal(wrong, root.at("/" + path(wrong).replace('.', '/')).toString());
    }
    String message = String.valueOf(cause.getMessage());
    int field = Math.max(0, message.indexOf(':'));
    return snakeCase(message.substring(0, field)) + message.substring(field);
  }

  private static String snakeCase(String name) {
    return CAMEL_HUMP.matcher(name).replaceAll(hump -> "_" + hump.group().toLowerCase(Locale.ROOT));
  }
}
