package meridian.protocol.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Set;
import meridian.core.error.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * Checks the grammar of a JSON text, with the bare tokens that the protocol allows, and stops at
 * the first fault. It knows no values.
 */
final class SyntaxScan {

  private static final Set<String> WORDS =
      Set.of("true", "false", "null", "NaN", "Infinity", "-Infinity");
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final String ESCAPED = "\"\\/bfnrt";
  private static final String VALUE = "a JSON value";
  private static final String NAME = "a name in quotes";

  private final byte[] bytes;
  private final int from;
  private final int end;
  private final Deque<Level> levels = new ArrayDeque<>();
  private int at;

  SyntaxScan(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.from = from;
    this.end = end;
    this.at = from;
  }

  /** An array or object that is not closed yet, and where in it the scan is. */
  private static final class Level {
    final boolean object;
    String name = "";
    long index = -1;

    Level(boolean object) {
      this.object = object;
    }

    void appendTo(StringBuilder path) {
      if (object) {
        path.append(path.isEmpty() || name.isEmpty() ? "" : ".").append(name);
      } else if (index >= 0) {
        path.append('[').append(index).append(']');
      }
    }
  }

  /** What was expected at the fault, where the scan stands then; null without a fault. */
  @Nullable String run() {
    String expected = value();
    while (expected == null && !levels.isEmpty()) {
      expected = next();
    }
    return expected != null || nextIsEnd() ? expected : "the end of the document";
  }

  /** Reads on behind a value or an opening bracket. */
  private @Nullable String next() {
    Level level = levels.getLast();
    char close = level.object ? '}' : ']';
    boolean first = level.index++ < 0;
    int c = afterSpace();
    if (c == close) {
      at++;
      levels.removeLast();
      return null;
    }
    if (!first) {
      if (c != ',') {
        level.index--;
        return "\",\" or \"" + close + '"';
      }
      at++;
    }
    return level.object ? field(level) : value();
  }

  private @Nullable String field(Level level) {
    level.name = "";
    if (afterSpace() != '"') {
      return NAME;
    }
    int start = at + 1;
    String expected = string();
    if (expected != null) {
      return expected;
    }
    level.name = Quoted.clean(new String(bytes, start, at - 1 - start, StandardCharsets.UTF_8));
    if (afterSpace() != ':') {
      return "\":\"";
    }
    at++;
    return value();
  }

  private @Nullable String value() {
    int c = afterSpace();
    if (c == '{' || c == '[') {
      levels.add(new Level(c == '{'));
      at++;
      return null;
    }
    return c == '"' ? string() : word();
  }

  private @Nullable String word() {
    String word = new String(bytes, at, wordLength(), StandardCharsets.US_ASCII);
    if (WORDS.contains(word) || isNumber(word)) {
      at += word.length();
      return null;
    }
    boolean numeric = !word.isEmpty() && "-+.0123456789".indexOf(word.charAt(0)) >= 0;
    return numeric ? "a JSON number" : VALUE;
  }

  private static boolean isNumber(String word) {
    int start = word.startsWith("-") ? 1 : 0;
    int i = word.startsWith("0", start) ? start + 1 : afterDigits(word, start);
    if (i > start && word.startsWith(".", i)) {
      i = afterDigits(word, i + 1);
    }
    if (i > start && (word.startsWith("e", i) || word.startsWith("E", i))) {
      boolean sign = word.startsWith("+", i + 1) || word.startsWith("-", i + 1);
      i = afterDigits(word, sign ? i + 2 : i + 1);
    }
    return i > start && i == word.length();
  }

  /** The position behind one digit or more, or −1 without one. */
  private static int afterDigits(String word, int from) {
    int i = from;
    while (i < word.length() && word.charAt(i) >= '0' && word.charAt(i) <= '9') {
      i++;
    }
    return i > from ? i : -1;
  }

  private @Nullable String string() {
    at++;
    while (at < end && bytes[at] != '"') {
      String expected = bytes[at] == '\\' ? escape() : character();
      if (expected != null) {
        return expected;
      }
    }
    if (at == end) {
      return "a closing quote";
    }
    at++;
    return null;
  }

  private @Nullable String escape() {
    int escaped = at + 1 < end ? bytes[at + 1] : -1;
    if (escaped == 'u') {
      for (int i = at + 2; i < at + 6; i++) {
        if (i >= end || Character.digit(bytes[i], 16) < 0) {
          return "\\u and four hexadecimal digits";
        }
      }
      at += 6;
      return null;
    }
    if (escaped < 0 || ESCAPED.indexOf(escaped) < 0) {
      return "an escape of JSON";
    }
    at += 2;
    return null;
  }

  private @Nullable String character() {
    if (bytes[at] >= 0 && bytes[at] < ' ') {
      return "no control character in a string, but its escape";
    }
    int length = utf8Length();
    if (length == 0) {
      return "UTF-8";
    }
    at += length;
    return null;
  }

  /** Of the character here; 0 when it is none. */
  private int utf8Length() {
    int lead = bytes[at] & 0xFF;
    int length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead > 0xF4 || at + length > end) {
      return 0;
    }
    for (int i = at + 1; i < at + length; i++) {
      if ((bytes[i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private boolean nextIsEnd() {
    return afterSpace() < 0;
  }

  private int afterSpace() {
    while (at < end && " \n\r\t".indexOf(bytes[at]) >= 0) {
      at++;
    }
    return at < end ? bytes[at] & 0xFF : -1;
  }

  private int wordLength() {
    int last = at;
    while (last < end && isWord(bytes[last])) {
      last++;
    }
    return last - at;
  }

  private static boolean isWord(byte b) {
    return (b >= '0' && b <= '9')
        || (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || "+-._".indexOf(b) >= 0;
  }

  /** What stands where the scan stopped, in words that no terminal trips over. */
  String shown() {
    if (at >= end) {
      return "the end of the body";
    }
    int length = wordLength();
    if (length > 0) {
      return Quoted.clean(new String(bytes, at, length, StandardCharsets.US_ASCII));
    }
    int bits = bytes[at] & 0xFF;
    if (bits < ' ' || bits == 0x7F || utf8Length() == 0) {
      return "byte 0x" + HEX.toHexDigits((byte) bits);
    }
    int code = new String(bytes, at, utf8Length(), StandardCharsets.UTF_8).codePointAt(0);
    return code < 0x80 ? "'" + (char) code + "'" : "U+" + hex(code);
  }

  private static String hex(int code) {
    return code > 0xFFFF ? HEX.toHexDigits(code, 6) : HEX.toHexDigits((char) code);
  }

  /**
   * @param root the path of the document itself, empty for a whole body
   */
  String path(String root) {
    StringBuilder path = new StringBuilder(root);
    for (Level level : levels) {
      level.appendTo(path);
    }
    return path.isEmpty() ? "body" : path.toString();
  }

  String place() {
    int line = 1;
    int column = 1;
    for (int i = from; i < at; i++) {
      if (bytes[i] == '\n') {
        line++;
        column = 1;
      } else if ((bytes[i] & 0xC0) != 0x80) {
        column++;
      }
    }
    return " at line " + line + ", column " + column;
  }
}
