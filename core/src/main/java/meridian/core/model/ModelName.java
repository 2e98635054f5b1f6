package meridian.core.model;

import java.util.regex.Pattern;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * The rule for names of models: 1 to 128 ASCII letters, digits, {@code .}, {@code _} and {@code -},
 * the first a letter, a digit or {@code _}. Such a name means the same in a URL, a file system, a
 * metric and a log, and can leave no folder.
 */
public final class ModelName {

  public static final String RULE = "1 to 128 of A-Z a-z 0-9 . _ -, the first a letter, digit or _";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

  private ModelName() {}

  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  /** What is wrong with the name, or null; says nothing of whether such a model exists. */
  public static @Nullable Problem check(String field, String name) {
    return isValid(name) ? null : Problem.invalid(field, Quoted.of(name), RULE);
  }
}
