package meridian.protocol.http;

import java.util.Map;

/**
 * The form in which an answer is wanted.
 *
 * @param standard for outputs that {@code outputs} does not name
 * @param allowNan whether JSON may carry the bare tokens NaN, Infinity and -Infinity
 */
public record ResponseFormat(
    OutputFormat standard, boolean allowNan, Map<String, OutputFormat> outputs) {

  public static final ResponseFormat JSON = new ResponseFormat(OutputFormat.JSON, false, Map.of());
  public static final ResponseFormat BINARY =
      new ResponseFormat(OutputFormat.BINARY, false, Map.of());

  public ResponseFormat {
    outputs = Map.copyOf(outputs);
  }

  OutputFormat of(String output) {
    return outputs.getOrDefault(output, standard);
  }

  /** How one output is written. */
  public enum OutputFormat {
    /** Numbers, booleans and UTF-8 strings. */
    JSON,
    /** As {@link #JSON}, with BYTES in base64. */
    BASE64,
    /** Raw, behind the JSON. */
    BINARY
  }
}
