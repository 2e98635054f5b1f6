package meridian.protocol.json;

import com.fasterxml.jackson.core.JsonStreamContext;
import meridian.core.error.Quoted;

/** Where a parser stands, as messages write it: {@code inputs[1].data[3]}. */
final class JsonPath {

  private JsonPath() {}

  /**
   * @param root the path of the document itself, empty for a whole body
   */
  static String of(String root, JsonStreamContext context) {
    StringBuilder path = new StringBuilder(root);
    append(path, context);
    return path.isEmpty() ? "body" : path.toString();
  }

  private static void append(StringBuilder path, JsonStreamContext context) {
    JsonStreamContext parent = context.getParent();
    if (parent != null) {
      append(path, parent);
    }
    if (context.inArray() && context.hasCurrentIndex()) {
      path.append('[').append(context.getCurrentIndex()).append(']');
    } else if (context.inObject() && context.hasCurrentName()) {
      path.append(path.isEmpty() ? "" : ".").append(Quoted.clean(context.getCurrentName()));
    }
  }
}
