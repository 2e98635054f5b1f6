package meridian.core.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.tensor.BFloat16;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Tensor;

/** Single elements of tensors, for work where speed is no concern. */
final class Elements {

  private Elements() {}

  static boolean isReal(DataType type) {
    return switch (type) {
      case FP16, BF16, FP32, FP64 -> true;
      default -> false;
    };
  }

  /** An element of a type that {@link #isReal}. */
  static double real(Tensor tensor, long index) {
    MemorySegment data = tensor.data();
    return switch (tensor.type()) {
      case FP64 -> data.get(Tensor.FP64, index * Double.BYTES);
      case FP32 -> data.get(Tensor.FP32, index * Float.BYTES);
      case FP16 -> Float.float16ToFloat(data.get(Tensor.INT16, index * Short.BYTES));
      case BF16 -> BFloat16.toFloat(data.get(Tensor.INT16, index * Short.BYTES));
      default -> throw new IllegalArgumentException("type: " + tensor.type());
    };
  }

  /** Writes a whole number into an element of a type of fixed size, as that type has it. */
  static void setWhole(MemorySegment data, long at, DataType type, long value) {
    switch (type) {
      case BOOL, INT8, UINT8 -> data.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      case INT16, UINT16 -> data.set(Tensor.INT16, at, (short) value);
      case INT32, UINT32 -> data.set(Tensor.INT32, at, (int) value);
      case INT64, UINT64 -> data.set(Tensor.INT64, at, value);
      case FP16 -> data.set(Tensor.INT16, at, Float.floatToFloat16((float) value));
      case BF16 -> data.set(Tensor.INT16, at, BFloat16.fromFloat((float) value));
      case FP32 -> data.set(Tensor.FP32, at, (float) value);
      case FP64 -> data.set(Tensor.FP64, at, (double) value);
      case BYTES -> throw new IllegalArgumentException("type: BYTES (expected: a fixed size)");
    }
  }
}
