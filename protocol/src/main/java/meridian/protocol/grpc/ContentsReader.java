package meridian.protocol.grpc;

import com.google.protobuf.ByteString;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.proto.InferTensorContents;
import meridian.protocol.RawTensor;

/** Reads the elements of a tensor out of the one typed field that fits its type. */
final class ContentsReader {

  private static final int PREFIX = Integer.BYTES;

  private final String path;
  private final DataType type;
  private final InferTensorContents contents;
  private final ContentsField field;
  private final int count;

  private ContentsReader(
      String path, DataType type, InferTensorContents contents, ContentsField field, int count) {
    this.path = path;
    this.type = type;
    this.contents = contents;
    this.field = field;
    this.count = count;
  }

  /**
   * @param path of the tensor
   */
  static Tensor read(String path, DataType type, Shape shape, InferTensorContents contents)
      throws ProblemException {
    ContentsField field = ContentsField.of(type);
    if (field == null) {
      throw invalid(path + ".contents", type + " in typed fields", "raw contents for " + type);
    }
    requireNothingElse(path, type, field, contents);
    int count = field.count(contents);
    if (count != RawTensor.elementCount(path, shape)) {
      throw invalid(
          path + ".contents." + field.label(),
          count + " elements",
          shape.elementCount() + " for shape " + shape);
    }
    return new Tensor(type, shape, new ContentsReader(path, type, contents, field, count).data());
  }

  private static void requireNothingElse(
      String path, DataType type, ContentsField field, InferTensorContents contents)
      throws ProblemException {
    for (ContentsField other : ContentsField.values()) {
      if (other != field && other.count(contents) > 0) {
        throw invalid(
            path + ".contents." + other.label(),
            other.count(contents) + " elements",
            "none, as " + type + " travels in " + field.label());
      }
    }
  }

  private MemorySegment data() throws ProblemException {
    if (type == DataType.BYTES) {
      return strings();
    }
    MemorySegment data =
        MemorySegment.ofArray(new byte[Math.multiplyExact(count, type.byteSize())]);
    for (int i = 0; i < count; i++) {
      store(data, i);
    }
    return data;
  }

  private void store(MemorySegment data, int i) throws ProblemException {
    switch (type) {
      case BOOL -> data.set(ValueLayout.JAVA_BYTE, i, (byte) (contents.getBoolContents(i) ? 1 : 0));
      case INT8 -> data.set(ValueLayout.JAVA_BYTE, i, (byte) signed(i));
      case INT16 -> data.setAtIndex(Tensor.INT16, i, (short) signed(i));
      case INT32 -> data.setAtIndex(Tensor.INT32, i, contents.getIntContents(i));
      case INT64 -> data.setAtIndex(Tensor.INT64, i, contents.getInt64Contents(i));
      case UINT8 -> data.set(ValueLayout.JAVA_BYTE, i, (byte) unsigned(i));
      case UINT16 -> data.setAtIndex(Tensor.INT16, i, (short) unsigned(i));
      case UINT32 -> data.setAtIndex(Tensor.INT32, i, contents.getUintContents(i));
      case UINT64 -> data.setAtIndex(Tensor.INT64, i, contents.getUint64Contents(i));
      case FP32 -> data.setAtIndex(Tensor.FP32, i, contents.getFp32Contents(i));
      case FP64 -> data.setAtIndex(Tensor.FP64, i, contents.getFp64Contents(i));
      case FP16, BF16, BYTES -> throw new IllegalStateException("type: " + type);
    }
  }

  private int signed(int i) throws ProblemException {
    int value = contents.getIntContents(i);
    int bits = type.byteSize() * Byte.SIZE;
    int highest = (1 << (bits - 1)) - 1;
    if (value > highest || value < ~highest) {
      throw outside(i, value, ~highest, highest);
    }
    return value;
  }

  private int unsigned(int i) throws ProblemException {
    int value = contents.getUintContents(i);
    int highest = (1 << (type.byteSize() * Byte.SIZE)) - 1;
    if (Integer.compareUnsigned(value, highest) > 0) {
      throw outside(i, Integer.toUnsignedLong(value), 0, highest);
    }
    return value;
  }

  private ProblemException outside(int i, long value, int lowest, int highest) {
    return invalid(
        path + ".contents." + field.label() + '[' + i + ']',
        value,
        "a whole number from " + lowest + " to " + highest + " for " + type);
  }

  private MemorySegment strings() throws ProblemException {
    long size = 0;
    for (int i = 0; i < count; i++) {
      size += PREFIX + contents.getBytesContents(i).size();
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw invalid(path + ".contents", size + " bytes", "at most " + (Integer.MAX_VALUE - 8));
    }
    byte[] data = new byte[(int) size];
    MemorySegment segment = MemorySegment.ofArray(data);
    int at = 0;
    for (int i = 0; i < count; i++) {
      ByteString element = contents.getBytesContents(i);
      segment.set(Tensor.INT32, at, element.size());
      element.copyTo(data, at + PREFIX);
      at += PREFIX + element.size();
    }
    return segment;
  }

  private static ProblemException invalid(String field, Object actual, String expected) {
    return new ProblemException(Problem.invalid(field, actual, expected));
  }
}
