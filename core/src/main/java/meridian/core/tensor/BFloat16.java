package meridian.core.tensor;

/** BF16: the upper half of an FP32. The JDK has FP16 ({@link Float#floatToFloat16}), not this. */
public final class BFloat16 {

  private static final short QUIET_NAN = 0x7FC0;

  private BFloat16() {}

  /** Rounds to nearest, ties to even; NaN stays NaN. */
  public static short fromFloat(float value) {
    if (Float.isNaN(value)) {
      return QUIET_NAN;
    }
    int bits = Float.floatToRawIntBits(value);
    int roundingBias = 0x7FFF + ((bits >>> 16) & 1);
    return (short) ((bits + roundingBias) >>> 16);
  }

  public static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }
}
