package meridian.protocol.http;

import meridian.core.tensor.DataType;

/**
 * The values of an integer type.
 *
 * @param lowest the magnitude of the lowest, 0 for unsigned types
 * @param highest of unsigned 64 bits
 */
record IntegerRange(long lowest, long highest) {

  /** The largest unsigned value that may take one more decimal digit, if that is 5 or less. */
  static final long MAX_BEFORE_DIGIT = Long.divideUnsigned(-1L, 10);

  static IntegerRange of(DataType type) {
    int bits = type.byteSize() * Byte.SIZE;
    return switch (type) {
      case UINT8, UINT16, UINT32, UINT64 -> new IntegerRange(0, -1L >>> (Long.SIZE - bits));
      case INT8, INT16, INT32, INT64 ->
          new IntegerRange(1L << (bits - 1), -1L >>> (Long.SIZE - bits + 1));
      case BOOL, FP16, BF16, FP32, FP64, BYTES ->
          throw new IllegalArgumentException("type: " + type + " (expected: an integer type)");
    };
  }

  boolean holds(boolean negative, long magnitude) {
    return Long.compareUnsigned(magnitude, negative ? lowest : highest) <= 0;
  }

  @Override
  public String toString() {
    return "a whole number from "
        + (lowest == 0 ? "0" : "-" + Long.toUnsignedString(lowest))
        + " to "
        + Long.toUnsignedString(highest);
  }
}
