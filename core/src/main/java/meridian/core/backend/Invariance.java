package meridian.core.backend;

/**
 * Whether a row's answer is the same whichever rows it is executed with.
 *
 * @param invariant false as well when it could not be found out
 * @param largestDeviation the largest difference found, relative to the largest value in the row it
 *     was found in; NaN when nothing could be compared
 * @param reason why the model does not count as invariant; empty when it does
 */
public record Invariance(boolean invariant, double largestDeviation, String reason) {

  static Invariance unknown(String reason) {
    return new Invariance(false, Double.NaN, reason);
  }
}
