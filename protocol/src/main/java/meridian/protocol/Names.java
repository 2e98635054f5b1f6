package meridian.protocol;

/** The rule for names that reach an engine as C strings. */
public final class Names {

  private Names() {}

  /** True without a NUL and without half a surrogate pair. */
  public static boolean isClean(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < name.length()
          && Character.isLowSurrogate(name.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }
}
