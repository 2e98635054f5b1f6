package meridian.serving.body;

import org.jspecify.annotations.Nullable;

/** Reads {@code Accept-Encoding}. */
public final class AcceptedCoding {

  private static final ContentCoding[] CODINGS = ContentCoding.values();

  private AcceptedCoding() {}

  /** The coding of the highest weight, ours where several have it; null for none. */
  public static @Nullable ContentCoding best(@Nullable String header) {
    if (header == null || header.isEmpty()) {
      return null;
    }
    double[] weights = new double[CODINGS.length];
    boolean[] named = new boolean[CODINGS.length];
    double any = 0;
    for (String entry : header.split(",", -1)) {
      int semicolon = entry.indexOf(';');
      String name = (semicolon < 0 ? entry : entry.substring(0, semicolon)).strip();
      double weight = semicolon < 0 ? 1 : weight(entry.substring(semicolon + 1));
      ContentCoding coding = ContentCoding.named(name);
      if (coding != null) {
        weights[coding.ordinal()] = weight;
        named[coding.ordinal()] = true;
      } else if (name.equals("*")) {
        any = weight;
      }
    }
    return heaviest(weights, named, any);
  }

  private static @Nullable ContentCoding heaviest(double[] weights, boolean[] named, double any) {
    ContentCoding best = null;
    double most = 0;
    for (ContentCoding coding : CODINGS) {
      double weight = named[coding.ordinal()] ? weights[coding.ordinal()] : any;
      if (weight > most) {
        most = weight;
        best = coding;
      }
    }
    return best;
  }

  /** The {@code q} of a parameter list; 0 when it is not a number, so that it is not chosen. */
  private static double weight(String parameters) {
    for (String parameter : parameters.split(";", -1)) {
      String text = parameter.strip();
      if (text.startsWith("q=") || text.startsWith("Q=")) {
        try {
          return Double.parseDouble(text.substring(2));
        } catch (NumberFormatException _) {
          return 0;
        }
      }
    }
    return 1;
  }
}
