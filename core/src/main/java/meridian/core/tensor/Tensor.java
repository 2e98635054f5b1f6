package meridian.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A value of one type and shape, immutable by agreement: nobody writes to {@code data} once the
 * tensor exists, and whoever handed it over keeps the memory alive until the answer is there.
 *
 * @param shape concrete
 * @param data the elements row-major in the protocol's raw form: little-endian, no padding, BOOL as
 *     one byte 0 or 1, BYTES as {@link ByteStrings} lays them out
 */
public record Tensor(DataType type, Shape shape, MemorySegment data) {

  public static final ValueLayout.OfShort INT16 = little(ValueLayout.JAVA_SHORT_UNALIGNED);
  public static final ValueLayout.OfInt INT32 = little(ValueLayout.JAVA_INT_UNALIGNED);
  public static final ValueLayout.OfLong INT64 = little(ValueLayout.JAVA_LONG_UNALIGNED);
  public static final ValueLayout.OfFloat FP32 =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfDouble FP64 =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  public Tensor {
    if (type.isFixedSize() && data.byteSize() != shape.elementCount() * type.byteSize()) {
      throw new IllegalArgumentException(
          "data: %d bytes (expected: %d for %s %s)"
              .formatted(data.byteSize(), shape.elementCount() * type.byteSize(), type, shape));
    }
  }

  public static Tensor ofFloats(Shape shape, float... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[values.length * Float.BYTES]);
    MemorySegment.copy(values, 0, data, FP32, 0, values.length);
    return new Tensor(DataType.FP32, shape, data);
  }

  public static Tensor ofLongs(Shape shape, long... values) {
    MemorySegment data = MemorySegment.ofArray(new byte[values.length * Long.BYTES]);
    MemorySegment.copy(values, 0, data, INT64, 0, values.length);
    return new Tensor(DataType.INT64, shape, data);
  }

  public static Tensor ofStrings(Shape shape, List<byte[]> elements) {
    return new Tensor(DataType.BYTES, shape, ByteStrings.encode(elements));
  }

  public long elementCount() {
    return shape.elementCount();
  }

  /** The elements of an FP32 tensor, row-major, copied. */
  public float[] toFloats() {
    requireType(DataType.FP32);
    float[] values = new float[Math.toIntExact(elementCount())];
    MemorySegment.copy(data, FP32, 0, values, 0, values.length);
    return values;
  }

  /** The elements of an INT64 tensor, row-major, copied. */
  public long[] toLongs() {
    requireType(DataType.INT64);
    long[] values = new long[Math.toIntExact(elementCount())];
    MemorySegment.copy(data, INT64, 0, values, 0, values.length);
    return values;
  }

  /** The elements of a BYTES tensor, copied. */
  public List<byte[]> toStrings() {
    requireType(DataType.BYTES);
    return ByteStrings.decode(data);
  }

  private void requireType(DataType expected) {
    if (type != expected) {
      throw new IllegalStateException("type: " + type + " (expected: " + expected + ")");
    }
  }

  private static ValueLayout.OfShort little(ValueLayout.OfShort layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  private static ValueLayout.OfInt little(ValueLayout.OfInt layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  private static ValueLayout.OfLong little(ValueLayout.OfLong layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }
}
