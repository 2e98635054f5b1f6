package meridian.node.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import meridian.core.tensor.BFloat16;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.version.Labels;

/**
 * The classification extension: in place of a tensor its largest elements per row, each as {@code
 * value:index} or {@code value:index:label}. Equal values come in the order of their index, NaN
 * after everything else; values are written so that they read back to the same number.
 */
final class Classification {

  private final NamedTensor output;
  private final Labels labels;

  private Classification(NamedTensor output, Labels labels) {
    this.output = output;
    this.labels = labels;
  }

  /**
   * @param output of numbers
   * @param batched whether its first dimension counts rows; without, the whole tensor is one row
   * @return BYTES, [rows, min(classes, elements of a row)], without the rows when not batched
   */
  static NamedTensor of(NamedTensor output, int classes, boolean batched, Labels labels) {
    Shape shape = output.tensor().shape();
    long rows = batched ? shape.dim(0) : 1;
    int width = Math.toIntExact((batched ? shape.row() : shape).elementCount());
    int count = Math.min(classes, width);
    return new NamedTensor(
        output.name(),
        Tensor.ofStrings(
            batched ? Shape.of(rows, count) : Shape.of(count),
            new Classification(output, labels).top(rows, width, count)));
  }

  private List<byte[]> top(long rows, int width, int count) {
    List<byte[]> texts = new ArrayList<>(Math.toIntExact(rows * count));
    long[] keys = new long[width];
    for (long row = 0; row < rows && count > 0; row++) {
      long first = row * width;
      for (int i = 0; i < width; i++) {
        keys[i] = key(first + i);
      }
      for (int index : TopElements.of(keys, count)) {
        texts.add(text(first + index, index));
      }
    }
    return texts;
  }

  private byte[] text(long element, int index) {
    String label = labels.label(output.name(), index);
    String text = value(element) + ':' + index + (label.isEmpty() ? "" : ':' + label);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A number that orders as the element does. */
  private long key(long element) {
    MemorySegment data = output.tensor().data();
    DataType type = output.tensor().type();
    return switch (type) {
      case FP16, BF16, FP32 -> orderOf(floatValue(element));
      case FP64 -> orderOf(data.get(Tensor.FP64, element * Double.BYTES));
      case UINT64 -> data.get(Tensor.INT64, element * Long.BYTES) ^ Long.MIN_VALUE;
      case BOOL, UINT8, UINT16, UINT32, INT8, INT16, INT32, INT64 -> integer(element);
      case BYTES -> throw new IllegalStateException("type: BYTES (expected: numbers)");
    };
  }

  private String value(long element) {
    MemorySegment data = output.tensor().data();
    DataType type = output.tensor().type();
    return switch (type) {
      case FP16, BF16, FP32 -> Float.toString(floatValue(element));
      case FP64 -> Double.toString(data.get(Tensor.FP64, element * Double.BYTES));
      case UINT64 -> Long.toUnsignedString(data.get(Tensor.INT64, element * Long.BYTES));
      case BOOL, UINT8, UINT16, UINT32, INT8, INT16, INT32, INT64 ->
          Long.toString(integer(element));
      case BYTES -> throw new IllegalStateException("type: BYTES (expected: numbers)");
    };
  }

  private float floatValue(long element) {
    MemorySegment data = output.tensor().data();
    return switch (output.tensor().type()) {
      case FP16 -> Float.float16ToFloat(data.get(Tensor.INT16, element * Short.BYTES));
      case BF16 -> BFloat16.toFloat(data.get(Tensor.INT16, element * Short.BYTES));
      default -> data.get(Tensor.FP32, element * Float.BYTES);
    };
  }

  private long integer(long element) {
    MemorySegment data = output.tensor().data();
    return switch (output.tensor().type()) {
      case BOOL, INT8 -> data.get(ValueLayout.JAVA_BYTE, element);
      case UINT8 -> Byte.toUnsignedLong(data.get(ValueLayout.JAVA_BYTE, element));
      case INT16 -> data.get(Tensor.INT16, element * Short.BYTES);
      case UINT16 -> Short.toUnsignedLong(data.get(Tensor.INT16, element * Short.BYTES));
      case INT32 -> data.get(Tensor.INT32, element * Integer.BYTES);
      case UINT32 -> Integer.toUnsignedLong(data.get(Tensor.INT32, element * Integer.BYTES));
      default -> data.get(Tensor.INT64, element * Long.BYTES);
    };
  }

  /** IEEE 754 doubles as integers of the same order; both zeros are equal, NaN is lowest. */
  private static long orderOf(double value) {
    if (Double.isNaN(value)) {
      return Long.MIN_VALUE;
    }
    long bits = Double.doubleToRawLongBits(value + 0.0);
    return bits ^ ((bits >> 63) & Long.MAX_VALUE);
  }
}
