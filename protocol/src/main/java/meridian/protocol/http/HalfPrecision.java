package meridian.protocol.http;

import com.fasterxml.jackson.core.io.NumberInput;
import java.math.BigDecimal;
import meridian.core.tensor.BFloat16;

/**
 * Decimal to 16 bits with one rounding, to nearest, ties to even.
 *
 * <p>Going by way of a double rounds twice. That matters only where the double is itself a border
 * between two 16-bit values, which it is exactly when its neighbours round apart: the border is a
 * double, and rounding to double keeps the order. There the decimal is compared with the double. A
 * double goes to a float rounded to odd, which keeps on which side of a border it stands.
 */
enum HalfPrecision {
  FP16 {
    @Override
    short round(float value) {
      return Float.floatToFloat16(value);
    }

    @Override
    float toFloat(short bits) {
      return Float.float16ToFloat(bits);
    }
  },
  BF16 {
    @Override
    short round(float value) {
      return BFloat16.fromFloat(value);
    }

    @Override
    float toFloat(short bits) {
      return BFloat16.toFloat(bits);
    }
  };

  abstract short round(float value);

  abstract float toFloat(short bits);

  short parse(char[] text, int from, int length) {
    double value = NumberInput.parseDouble(text, from, length, true);
    short below = round(toOdd(Math.nextDown(value)));
    short above = round(toOdd(Math.nextUp(value)));
    if (below == above || value == 0) {
      return round(toOdd(value));
    }
    int side = new BigDecimal(text, from, length).compareTo(new BigDecimal(value));
    if (side == 0) {
      return round(toOdd(value));
    }
    return side < 0 ? below : above;
  }

  /** Rounds an inexact result to the neighbour with an odd last bit. */
  private static float toOdd(double value) {
    float nearest = (float) value;
    if (nearest == value || Double.isNaN(value)) {
      return nearest;
    }
    int bits = Float.floatToRawIntBits(nearest);
    int towardsZero = Math.abs((double) nearest) > Math.abs(value) ? bits - 1 : bits;
    return Float.intBitsToFloat(towardsZero | 1);
  }
}
