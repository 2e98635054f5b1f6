package meridian.protocol;

/** The rules for text that leaves as UTF-8, and for names that reach an engine as C strings. */
public final class Names {

  private Names() {}

  /** True for text that is not empty and has neither a NUL nor half a surrogate pair. */
  public static boolean isName(String text) {
    return !text.isEmpty() && text.indexOf(0) < 0 && isUnicode(text);
  }

  /** True without half a surrogate pair, which no UTF-8 can carry. */
  public static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        i++;
        if (i == text.length() || !Character.isSurrogatePair(c, text.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }
}
