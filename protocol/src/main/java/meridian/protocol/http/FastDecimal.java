package meridian.protocol.http;

/**
 * Decimal to binary where a multiplication or division by an exact power of ten settles it, after
 * W. D. Clinger, "How to read floating point numbers accurately", 1990.
 */
final class FastDecimal {

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final int MOST = POWERS.length - 1;
  private static final long EXACT_DIGITS = 1L << 53;

  /** What of a double's fraction a float has no room for, and the middle of it. */
  private static final long BELOW_FLOAT = (1L << 29) - 1;

  private static final long MIDDLE = 1L << 28;
  private static final long UNSURE_ULPS = 2;

  private FastDecimal() {}

  /**
   * The nearest double, or NaN when this way cannot tell: both operands have to be exact, so that
   * there is one rounding.
   */
  static double toDouble(boolean negative, long digits, int exponent) {
    if (digits > EXACT_DIGITS || exponent > MOST || exponent < -MOST) {
      return Double.NaN;
    }
    double value = scaled(digits, exponent);
    return negative ? -value : value;
  }

  /**
   * The nearest float, or NaN when this way cannot tell. The double on the way is off by less than
   * {@value #UNSURE_ULPS} of its units; that changes the float only if a border between two floats,
   * the middle of the bits cut off, is as near.
   */
  static float toFloat(boolean negative, long digits, int exponent) {
    if (exponent > MOST || exponent < -MOST) {
      return Float.NaN;
    }
    double value = scaled(digits, exponent);
    long fromMiddle = (Double.doubleToRawLongBits(value) & BELOW_FLOAT) - MIDDLE;
    if (Math.abs(fromMiddle) <= UNSURE_ULPS || value > Float.MAX_VALUE) {
      return Float.NaN;
    }
    return (float) (negative ? -value : value);
  }

  private static double scaled(long digits, int exponent) {
    return exponent < 0 ? digits / POWERS[-exponent] : digits * POWERS[exponent];
  }
}
