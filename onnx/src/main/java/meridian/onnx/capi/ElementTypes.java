package meridian.onnx.capi;

import meridian.core.tensor.DataType;
import org.jspecify.annotations.Nullable;

/** ONNX element types, by their numbers in the C API, as data types of the protocol. */
final class ElementTypes {

  private ElementTypes() {}

  static int number(DataType type) {
    return switch (type) {
      case FP32 -> 1;
      case UINT8 -> 2;
      case INT8 -> 3;
      case UINT16 -> 4;
      case INT16 -> 5;
      case INT32 -> 6;
      case INT64 -> 7;
      case BYTES -> 8;
      case BOOL -> 9;
      case FP16 -> 10;
      case FP64 -> 11;
      case UINT32 -> 12;
      case UINT64 -> 13;
      case BF16 -> 16;
    };
  }

  /** The data type, or null where the protocol has none: complex numbers, 8 and 4 bit floats … */
  static @Nullable DataType dataType(int number) {
    return switch (number) {
      case 1 -> DataType.FP32;
      case 2 -> DataType.UINT8;
      case 3 -> DataType.INT8;
      case 4 -> DataType.UINT16;
      case 5 -> DataType.INT16;
      case 6 -> DataType.INT32;
      case 7 -> DataType.INT64;
      case 8 -> DataType.BYTES;
      case 9 -> DataType.BOOL;
      case 10 -> DataType.FP16;
      case 11 -> DataType.FP64;
      case 12 -> DataType.UINT32;
      case 13 -> DataType.UINT64;
      case 16 -> DataType.BF16;
      default -> null;
    };
  }
}
