package meridian.protocol;

import meridian.core.infer.Parameter;

/** Strangers' text in messages: short, and without characters that would disturb a log. */
public final class Quoted {

  private static final int SHOWN = 64;

  private Quoted() {}

  public static String of(String text) {
    return '"' + clean(text) + '"';
  }

  /** The value as JSON writes it, text shortened. */
  public static String of(Parameter parameter) {
    return switch (parameter) {
      case Parameter.Bool(boolean value) -> Boolean.toString(value);
      case Parameter.Int(long value) -> Long.toString(value);
      case Parameter.Unsigned(long bits) -> Long.toUnsignedString(bits);
      case Parameter.Real(double value) -> Double.toString(value);
      case Parameter.Text(String value) -> of(value);
    };
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
