package meridian.node.version;

import java.util.List;
import java.util.Map;

/**
 * Names of classes.
 *
 * @param byOutput the names in the order of the classes
 */
public record Labels(Map<String, List<String>> byOutput) {

  public static final Labels NONE = new Labels(Map.of());

  public Labels {
    byOutput = Map.copyOf(byOutput);
  }

  /** The name of a class, empty where there is none. */
  public String label(String output, int index) {
    List<String> names = byOutput.getOrDefault(output, List.of());
    return index < names.size() ? names.get(index) : "";
  }
}
