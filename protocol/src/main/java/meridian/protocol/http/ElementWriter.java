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

  private static final int FLUSH_AT = 4_096;

  private final JsonGenerator out;
  private final boolean allowNan;
  private final StringBuilder text = new StringBuilder(FLUSH_AT + 64);
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
    if (count > 0) {
      elements(path, named, count);
      flush();
    }
    out.writeEndArray();
  }

  private void elements(String path, NamedTensor named, int count)
      throws IOException, ProblemException {
    MemorySegment data = named.tensor().data();
    DataType type = named.tensor().type();
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        text.append(',');
      }
      switch (type) {
        case FP32, FP16, BF16 -> real(path, named, i, single(type, data, i));
        case FP64 -> real(path, named, i, data.getAtIndex(Tensor.FP64, i));
        case BOOL -> text.append(data.get(ValueLayout.JAVA_BYTE, i) != 0);
        case UINT64 -> unsigned(data.getAtIndex(Tensor.INT64, i));
        default -> text.append(integer(type, data, i));
      }
      if (text.length() >= FLUSH_AT) {
        flush();
      }
    }
  }

  private static float single(DataType type, MemorySegment data, long i) {
    return switch (type) {
      case FP16 -> HalfPrecision.FP16.toFloat(data.getAtIndex(Tensor.INT16, i));
      case BF16 -> HalfPrecision.BF16.toFloat(data.getAtIndex(Tensor.INT16, i));
      default -> data.getAtIndex(Tensor.FP32, i);
    };
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

  private void real(String path, NamedTensor named, int i, float value) throws ProblemException {
    if (!Float.isFinite(value) && !allowNan) {
      throw notFinite(path, named, i, value);
    }
    text.append(value);
  }

  private void real(String path, NamedTensor named, int i, double value) throws ProblemException {
    if (!Double.isFinite(value) && !allowNan) {
      throw notFinite(path, named, i, value);
    }
    text.append(value);
  }

  private static ProblemException notFinite(String path, NamedTensor named, int i, double value) {
    return new ProblemException(
        Problem.of(
            ErrorCode.NOT_REPRESENTABLE,
            "%s.data[%d]: %s in \"%s\" (expected: finite numbers, or a request for binary data or with \"allow_nan\": true)"
                .formatted(path, i, value, named.name())));
  }

  private void flush() throws IOException {
    int length = text.length();
    if (chars.length < length) {
      chars = new char[text.capacity()];
    }
    text.getChars(0, length, chars, 0);
    out.writeRaw(chars, 0, length);
    text.setLength(0);
  }
}
