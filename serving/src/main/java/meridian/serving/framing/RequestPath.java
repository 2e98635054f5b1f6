package meridian.serving.framing;

import com.linecorp.armeria.common.RequestTarget;
import io.netty.util.AsciiString;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Paths that Armeria refuses by itself, such as one with {@code ..} or a broken escape. It would
 * close the connection, so they go through it in another form, as one segment behind {@link
 * #REFUSED}, and are answered like every other path that leads nowhere.
 */
public final class RequestPath {

  /** What a path said for which this one stands. */
  public static final String REFUSED = "/refused-path/";

  private static final String ASTERISK = "*";
  private static final int HEX = 16;

  private RequestPath() {}

  /** The path, or the one that stands for it. */
  static String acceptable(CharSequence method, String path) {
    String origin = withoutAuthority(path);
    if (isPlain(origin)) {
      return origin;
    }
    boolean asterisk = origin.equals(ASTERISK);
    if (asterisk && AsciiString.contentEquals(method, "OPTIONS")) {
      return origin;
    }
    return asterisk || RequestTarget.forServer(origin) == null ? REFUSED + hex(origin) : origin;
  }

  /** RFC 9112 §3.2.2 wants the absolute form taken too. */
  private static String withoutAuthority(String path) {
    int scheme = path.startsWith("http://") ? 7 : path.startsWith("https://") ? 8 : 0;
    if (scheme == 0) {
      return path;
    }
    int end = scheme;
    while (end < path.length() && path.charAt(end) != '/' && path.charAt(end) != '?') {
      end++;
    }
    String rest = path.substring(end);
    return rest.startsWith("/") ? rest : '/' + rest;
  }

  /** True for what needs no second look, which is nearly everything. */
  private static boolean isPlain(String path) {
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letter && c != '/' && c != '_' && c != '-' && (c != '.' || path.startsWith("..", i))) {
        return false;
      }
    }
    return path.startsWith("/");
  }

  /** The path that was sent in the place of one that Armeria would have refused, or null. */
  public static @Nullable String refused(String path) {
    if (!path.startsWith(REFUSED)) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = REFUSED.length(); i + 1 < path.length(); i += 2) {
      int high = Character.digit(path.charAt(i), HEX);
      int low = Character.digit(path.charAt(i + 1), HEX);
      if (high < 0 || low < 0) {
        return null;
      }
      bytes.write(high << 4 | low);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** The codecs read every byte of a path as one character. */
  private static String hex(String path) {
    StringBuilder hex = new StringBuilder(2 * path.length());
    for (int i = 0; i < path.length(); i++) {
      hex.append(Character.forDigit(path.charAt(i) >> 4 & 0xf, HEX));
      hex.append(Character.forDigit(path.charAt(i) & 0xf, HEX));
    }
    return hex.toString();
  }
}
