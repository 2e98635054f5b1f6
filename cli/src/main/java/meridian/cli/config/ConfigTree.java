package meridian.cli.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import meridian.node.config.NearestName;

/**
 * A tree of settings that starts as the defaults and takes overrides. The defaults are the list of
 * known keys: one that is not among them is an error naming the nearest that is.
 */
final class ConfigTree {

  static final String ENVIRONMENT_PREFIX = "MERIDIAN_";

  /** Variables of that prefix that the launcher reads. */
  private static final List<String> LAUNCHER_VARIABLES =
      List.of("MERIDIAN_JAVA_HOME", "MERIDIAN_JAVA_OPTS", "MERIDIAN_HOME");

  private final ObjectNode root;

  ConfigTree(ObjectNode defaults) {
    this.root = defaults.deepCopy();
  }

  ObjectNode root() {
    return root;
  }

  /** Lays the settings of a file over what is there. */
  void overlay(ObjectNode settings) throws ConfigException {
    overlay(root, settings, "");
  }

  private void overlay(ObjectNode target, ObjectNode settings, String prefix)
      throws ConfigException {
    for (Map.Entry<String, JsonNode> entry : settings.properties()) {
      String key = prefix + entry.getKey();
      JsonNode known = target.get(entry.getKey());
      if (known == null) {
        throw unknown(key);
      }
      if (known instanceof ObjectNode section && !section.isEmpty()) {
        if (!(entry.getValue() instanceof ObjectNode values)) {
          throw new ConfigException(
              key + ": " + entry.getValue() + " (expected: a section with " + names(section) + ")");
        }
        overlay(section, values, key + ".");
      } else {
        target.set(entry.getKey(), entry.getValue());
      }
    }
  }

  /** Sets one key given as a dotted path. */
  void set(String key, String value) throws ConfigException {
    ObjectNode section = root;
    String[] steps = key.split("\\.", -1);
    for (int i = 0; i < steps.length - 1; i++) {
      if (!(section.get(steps[i]) instanceof ObjectNode next)) {
        throw unknown(key);
      }
      section = next;
    }
    String last = steps[steps.length - 1];
    if (!section.has(last)) {
      throw unknown(key);
    }
    section.put(last, value);
  }

  /** Takes every {@code MERIDIAN_…} variable: {@code MERIDIAN_NODE_LANES} is {@code node.lanes}. */
  void environment(Map<String, String> variables) throws ConfigException {
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(ENVIRONMENT_PREFIX) && !LAUNCHER_VARIABLES.contains(name)) {
        set(keyOf(name), variable.getValue());
      }
    }
  }

  private String keyOf(String variable) throws ConfigException {
    for (String key : keys()) {
      if (variableOf(key).equals(variable)) {
        return key;
      }
    }
    String nearest = NearestName.of(keys().stream().map(ConfigTree::variableOf).toList(), variable);
    throw new ConfigException(
        "environment variable " + variable + " is unknown (nearest known: " + nearest + ")");
  }

  /** Every key as a dotted path, in the order of the defaults. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    collect(root, "", keys);
    return keys;
  }

  private static void collect(ObjectNode section, String prefix, List<String> keys) {
    for (Map.Entry<String, JsonNode> entry : section.properties()) {
      if (entry.getValue() instanceof ObjectNode child && !child.isEmpty()) {
        collect(child, prefix + entry.getKey() + ".", keys);
      } else {
        keys.add(prefix + entry.getKey());
      }
    }
  }

  static String variableOf(String key) {
    return ENVIRONMENT_PREFIX + key.replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private ConfigException unknown(String key) {
    return new ConfigException(
        key + " is an unknown key (nearest known: " + NearestName.of(keys(), key) + ")");
  }

  private static List<String> names(ObjectNode section) {
    List<String> names = new ArrayList<>();
    section.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
