package meridian.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.tensor.ByteStrings;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** Judges raw bytes and shapes that a stranger sent, without copying them. */
public final class RawTensor {

  private RawTensor() {}

  /**
   * The tensor over {@code data}.
   *
   * @param path of the tensor
   * @throws ProblemException when size, framing or a boolean's value does not fit
   */
  public static Tensor of(String path, DataType type, Shape shape, MemorySegment data)
      throws ProblemException {
    long count = elementCount(path, shape);
    if (type == DataType.BYTES) {
      requireFraming(path, shape, count, data);
    } else {
      requireSize(path, type, shape, count, data.byteSize());
    }
    if (type == DataType.BOOL) {
      requireBooleans(path, data);
    }
    return new Tensor(type, shape, data);
  }

  /** The number of elements, where the product of the dimensions fits a long. */
  public static long elementCount(String path, Shape shape) throws ProblemException {
    try {
      return shape.elementCount();
    } catch (ArithmeticException _) {
      throw invalid(path + ".shape", shape, "at most 2^63-1 elements");
    }
  }

  /** Checks the size of a type whose elements are all of one size. */
  public static void requireSize(String path, DataType type, Shape shape, long count, long byteSize)
      throws ProblemException {
    if (count > Long.MAX_VALUE / type.byteSize() || byteSize != count * type.byteSize()) {
      throw invalid(
          path,
          byteSize + " bytes of raw data",
          expectedBytes(type, count) + " for " + type + " of shape " + shape);
    }
  }

  private static String expectedBytes(DataType type, long count) {
    return count > Long.MAX_VALUE / type.byteSize()
        ? count + " times " + type.byteSize()
        : Long.toString(count * type.byteSize());
  }

  private static void requireFraming(String path, Shape shape, long count, MemorySegment data)
      throws ProblemException {
    long found = ByteStrings.count(data);
    if (found < 0) {
      throw invalid(
          path,
          "raw data of " + data.byteSize() + " bytes with an element cut off",
          "each element's length as a little-endian uint32, then its bytes");
    }
    if (found != count) {
      throw invalid(path, found + " elements", count + " for shape " + shape);
    }
  }

  private static void requireBooleans(String path, MemorySegment data) throws ProblemException {
    for (long i = 0; i < data.byteSize(); i++) {
      byte value = data.get(ValueLayout.JAVA_BYTE, i);
      if ((value & ~1) != 0) {
        throw invalid(path + ".data[" + i + "]", Byte.toUnsignedInt(value), "0 or 1 for BOOL");
      }
    }
  }

  private static ProblemException invalid(String field, Object actual, String expected) {
    return new ProblemException(Problem.invalid(field, actual, expected));
  }
}
