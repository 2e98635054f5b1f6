package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;

/**
 * Writes the elements of a tensor as one flat JSON array. Floating-point numbers are written with
 * the fewest digits that read back to the same bits.
 */
final class ElementWriter {

  /** Elements between flushes: a few thousand characters. */
  private static final int CHUNK = 256;

  private static final String FINITE =
      "finite numbers, or a request for binary data or with \"allow_nan\": true";

  private final JsonGenerator out;
  private final boolean allowNan;
  private final StringBuilder text = new StringBuilder(CHUNK * 12);
  private char[] chars = new char[0];

  ElementWriter(JsonGenerator out, boolean allowNan) {
    this.out = out;
    this.allowNan = allowNan;
  }

  /** Writes the value of the field {@code data} of the tensor at {@code path}. */
  void write(String path, NamedTensor named, boolean base64) throws IOException, ProblemException {
    Tensor tensor = named.tensor();
    if (tensor.type() == DataType.BYTES) {
      new StringWriter(out, path, named, base64).write();
      return;
    }
    int count = Math.toIntExact(tensor.elementCount());
    out.writeStartArray();
    elements(path, named, count);
    out.writeEndArray();
  }

  private void elements(String path, NamedTensor named, int count)
      throws IOException, ProblemException {
    DataType type = named.tensor().type();
    MemorySegment data = named.tensor().data();
    for (int from = 0; from < count; from += CHUNK) {
      int to = Math.min(count, from + CHUNK);
      long unfit =
          switch (type) {
            case FP32 -> floats(data, from, to);
            case FP16 -> halves(HalfPrecision.FP16, data, from, to);
            case BF16 -> halves(HalfPrecision.BF16, data, from, to);
            case FP64 -> doubles(data, from, to);
            default -> integers(type, data, from, to);
          };
      if (unfit >= 0) {
        throw notFinite(path, named, unfit);
      }
      flush(to == count);
    }
  }

  /** Appends each element and a comma; the index of one that has no form in JSON, or −1. */
  private int floats(MemorySegment data, int from, int to) {
    for (int i = from; i < to; i++) {
      float value = data.getAtIndex(Tensor.FP32, i);
      if (!Float.isFinite(value) && !allowNan) {
        return i;
      }
      text.append(value).append(',');
    }
    return -1;
  }

  private int halves(HalfPrecision precision, MemorySegment data, int from, int to) {
    for (int i = from; i < to; i++) {
      float value = precision.toFloat(data.getAtIndex(Tensor.INT16, i));
      if (!Float.isFinite(value) && !allowNan) {
        return i;
      }
      text.append(value).append(',');
    }
    return -1;
  }

  private int doubles(MemorySegment data, int from, int to) {
    for (int i = from; i < to; i++) {
      double value = data.getAtIndex(Tensor.FP64, i);
      if (!Double.isFinite(value) && !allowNan) {
        return i;
      }
      text.append(value).append(',');
    }
    return -1;
  }

  private int integers(DataType type, MemorySegment data, int from, int to) {
    for (int i = from; i < to; i++) {
      switch (type) {
        case BOOL -> text.append(data.get(ValueLayout.JAVA_BYTE, i) != 0);
        case UINT64 -> unsigned(data.getAtIndex(Tensor.INT64, i));
        default -> text.append(integer(type, data, i));
      }
      text.append(',');
    }
    return -1;
  }

  private static long integer(DataType type, MemorySegment data, long i) {
    return switch (type) {
      case INT8 -> data.get(ValueLayout.JAVA_BYTE, i);
      case UINT8 -> Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, i));
      case INT16 -> data.getAtIndex(Tensor.INT16, i);
      case UINT16 -> Short.toUnsignedInt(data.getAtIndex(Tensor.INT16, i));
      case INT32 -> data.getAtIndex(Tensor.INT32, i);
      case UINT32 -> Integer.toUnsignedLong(data.getAtIndex(Tensor.INT32, i));
      default -> data.getAtIndex(Tensor.INT64, i);
    };
  }

  private void unsigned(long bits) {
    if (bits >= 0) {
      text.append(bits);
    } else {
      text.append(Long.toUnsignedString(bits));
    }
  }

  private static ProblemException notFinite(String path, NamedTensor named, long i) {
    MemorySegment data = named.tensor().data();
    double value =
        switch (named.tensor().type()) {
          case FP16 -> HalfPrecision.FP16.toFloat(data.getAtIndex(Tensor.INT16, i));
          case BF16 -> HalfPrecision.BF16.toFloat(data.getAtIndex(Tensor.INT16, i));
          case FP32 -> data.getAtIndex(Tensor.FP32, i);
          default -> data.getAtIndex(Tensor.FP64, i);
        };
    return new ProblemException(
        Problem.of(
            ErrorCode.NOT_REPRESENTABLE,
            "%s.data[%d]: %s in \"%s\" (expected: %s)"
                .formatted(path, i, value, named.name(), FINITE)));
  }

  /** Writes what was appended, without the comma behind the last element. */
  private void flush(boolean last) throws IOException {
    int length = last ? text.length() - 1 : text.length();
    if (chars.length < length) {
      chars = new char[text.capacity()];
    }
    text.getChars(0, length, chars, 0);
    out.writeRaw(chars, 0, length);
    text.setLength(0);
  }
}
