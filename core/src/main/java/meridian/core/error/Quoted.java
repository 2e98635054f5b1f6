package meridian.core.error;

/** Strangers' text in messages: short, and without characters that would disturb a log. */
public final class Quoted {

  private static final int SHOWN = 64;

  private Quoted() {}

  public static String of(String text) {
    return '"' + clean(text) + '"';
  }

  public static String clean(String text) {
    boolean cut = text.length() > SHOWN;
    StringBuilder clean = new StringBuilder(cut ? text.substring(0, SHOWN) : text);
    for (int i = 0; i < clean.length(); i++) {
      char c = clean.charAt(i);
      if (Character.isISOControl(c) || Character.isSurrogate(c)) {
        clean.setCharAt(i, '?');
      }
    }
    return cut ? clean.append('…').toString() : clean.toString();
  }
}
