package meridian.serving.rest;

import com.linecorp.armeria.common.MediaType;
import java.nio.charset.StandardCharsets;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.protocol.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Which bodies are read as JSON, by their {@code Content-Type}: {@code application/json} and
 * anything {@code +json}; none at all; and {@code text/plain} and {@code
 * application/x-www-form-urlencoded}, which is what clients send that were not told otherwise, such
 * as {@code curl -d}. A charset, where one is given, is UTF-8. Everything else is {@code
 * UNSUPPORTED_ENCODING}; {@code application/octet-stream} needs the header {@link
 * Headers#JSON_LENGTH}, and with that header the type does not matter.
 */
final class JsonBodies {

  private static final String EXPECTED =
      "application/json, or application/octet-stream with " + Headers.JSON_LENGTH;

  private static final String FORM = "x-www-form-urlencoded";

  private JsonBodies() {}

  /** What is wrong with the type, or null. */
  static @Nullable Problem check(@Nullable String contentType) {
    if (contentType == null) {
      return null;
    }
    MediaType type;
    try {
      type = MediaType.parse(contentType);
    } catch (IllegalArgumentException _) {
      return unsupported(contentType);
    }
    return isJson(type) && isUtf8(type) ? null : unsupported(contentType);
  }

  private static boolean isJson(MediaType type) {
    return type.isJson()
        || (type.type().equals("text") && type.subtype().equals("plain"))
        || (type.type().equals("application") && type.subtype().equals(FORM));
  }

  private static boolean isUtf8(MediaType type) {
    try {
      return StandardCharsets.UTF_8.equals(type.charset(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static Problem unsupported(String contentType) {
    return Problem.of(
        ErrorCode.UNSUPPORTED_ENCODING,
        "Content-Type: " + Quoted.of(contentType) + " (expected: " + EXPECTED + ")");
  }
}
