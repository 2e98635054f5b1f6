package meridian.core.model;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Versions are whole numbers from 1 to 2^63−1, written without leading zeros. */
public final class ModelVersion {

  public static final String RULE = "a whole number from 1 to 2^63-1 without leading zeros";

  private static final Pattern DIGITS = Pattern.compile("[1-9][0-9]{0,18}");

  private ModelVersion() {}

  /** The number, or empty when the text breaks {@link #RULE}. */
  public static OptionalLong parse(String text) {
    if (!DIGITS.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }
}
