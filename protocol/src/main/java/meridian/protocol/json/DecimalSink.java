package meridian.protocol.json;

/** Takes the numbers of an array, {@code ±digits · 10^exponent}. */
@FunctionalInterface
public interface DecimalSink {

  /**
   * @param digits of at most 18 decimal places, 0 or more
   * @return false for a number that has to be read the slow way
   */
  boolean take(boolean negative, long digits, int exponent);
}
