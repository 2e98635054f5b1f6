package meridian.fleet.topology;

import java.util.regex.Pattern;

/**
 * Where models are served, under one law.
 *
 * @param name such as {@code manila}
 * @param jurisdiction whose law holds there, such as {@code ph}
 */
public record Region(String name, String jurisdiction) {

  /** What names of regions, jurisdictions and data classes look like. */
  public static final String RULE =
      "1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public Region {
    require("name", name);
    require("jurisdiction", jurisdiction);
  }

  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  private static void require(String field, String value) {
    if (!isName(value)) {
      throw new IllegalArgumentException("%s: \"%s\" (expected: %s)".formatted(field, value, RULE));
    }
  }
}
