package meridian.node.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What a setting of a type expects, in the words of those who write settings. */
public final class ExpectedValue {

  private ExpectedValue() {}

  public static String of(Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", "));
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "a list";
    }
    if (Map.class.isAssignableFrom(type) || type.isRecord()) {
      return "keys with values";
    }
    return switch (type.getSimpleName()) {
      case "int", "Integer", "long", "Long" -> "a whole number";
      case "double", "Double" -> "a number";
      case "boolean", "Boolean" -> "true or false";
      default -> "text";
    };
  }
}
