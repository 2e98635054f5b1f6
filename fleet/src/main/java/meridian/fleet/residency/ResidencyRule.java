package meridian.fleet.residency;

import java.util.Set;
import meridian.fleet.topology.Region;

/**
 * Allows data some regions.
 *
 * @param dataClass {@value #ANY} for every class
 * @param jurisdiction {@value #ANY} for every one
 * @param regions that may have it; none to allow it nowhere
 */
public record ResidencyRule(String dataClass, String jurisdiction, Set<String> regions) {

  public static final String ANY = "*";

  public ResidencyRule {
    regions = Set.copyOf(regions);
    require("data_class", dataClass);
    require("jurisdiction", jurisdiction);
  }

  boolean matches(ResidencyClass data) {
    return matches(dataClass, data.dataClass()) && matches(jurisdiction, data.jurisdiction());
  }

  /** How much of the data's class the rule names: 0 to 2. */
  int named() {
    return (dataClass.equals(ANY) ? 0 : 1) + (jurisdiction.equals(ANY) ? 0 : 1);
  }

  private static boolean matches(String pattern, String value) {
    return pattern.equals(ANY) || pattern.equals(value);
  }

  private static void require(String field, String value) {
    if (!value.equals(ANY) && !Region.isName(value)) {
      throw new IllegalArgumentException(
          "%s: \"%s\" (expected: %s, or %s)".formatted(field, value, ANY, Region.RULE));
    }
  }
}
