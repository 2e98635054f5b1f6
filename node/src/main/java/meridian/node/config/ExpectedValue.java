package meridian.node.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Why a setting is refused, and what its type expects, in the words of those who write settings.
 */
public final class ExpectedValue {

  private ExpectedValue() {}

  /**
   * Why a value is refused: what the reader of its type said, or what that type expects.
   *
   * @param value that came
   */
  public static String refusal(JsonMappingException e, String value) {
    String message = firstLine(e);
    return e instanceof MismatchedInputException wrong && !message.contains("(expected:")
        ? "%s (expected: %s)".formatted(value, of(wrong.getTargetType()))
        : message;
  }

  /** Without the excerpts and places that Jackson adds on further lines. */
  public static String firstLine(JsonProcessingException e) {
    return e.getOriginalMessage().lines().findFirst().orElse("");
  }

  private static String of(Class<?> type) {
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
    if (type == Threads.class) {
      return Threads.EXPECTED;
    }
    return switch (type.getSimpleName()) {
      case "int", "Integer", "long", "Long" -> "a whole number";
      case "double", "Double" -> "a number";
      case "boolean", "Boolean" -> "true or false";
      default -> "text";
    };
  }
}
