package meridian.protocol.grpc;

import com.google.protobuf.UnsafeByteOperations;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.tensor.Tensor;
import meridian.proto.InferTensorContents;

/** Writes the elements of a tensor into the one typed field that fits its type. */
final class ContentsWriter {

  private static final int PREFIX = Integer.BYTES;

  private ContentsWriter() {}

  /**
   * @throws IllegalArgumentException for FP16 and BF16, which have no typed field
   */
  static InferTensorContents write(Tensor tensor) {
    InferTensorContents.Builder out = InferTensorContents.newBuilder();
    MemorySegment data = tensor.data();
    long count = tensor.elementCount();
    switch (tensor.type()) {
      case BYTES -> strings(data, out);
      case FP16, BF16 ->
          throw new IllegalArgumentException(
              "type: " + tensor.type() + " (expected: a typed field)");
      default -> {
        for (long i = 0; i < count; i++) {
          add(tensor, data, i, out);
        }
      }
    }
    return out.build();
  }

  private static void add(
      Tensor tensor, MemorySegment data, long i, InferTensorContents.Builder out) {
    switch (tensor.type()) {
      case BOOL -> out.addBoolContents(data.get(ValueLayout.JAVA_BYTE, i) != 0);
      case INT8 -> out.addIntContents(data.get(ValueLayout.JAVA_BYTE, i));
      case INT16 -> out.addIntContents(data.getAtIndex(Tensor.INT16, i));
      case INT32 -> out.addIntContents(data.getAtIndex(Tensor.INT32, i));
      case INT64 -> out.addInt64Contents(data.getAtIndex(Tensor.INT64, i));
      case UINT8 -> out.addUintContents(Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, i)));
      case UINT16 -> out.addUintContents(Short.toUnsignedInt(data.getAtIndex(Tensor.INT16, i)));
      case UINT32 -> out.addUintContents(data.getAtIndex(Tensor.INT32, i));
      case UINT64 -> out.addUint64Contents(data.getAtIndex(Tensor.INT64, i));
      case FP32 -> out.addFp32Contents(data.getAtIndex(Tensor.FP32, i));
      case FP64 -> out.addFp64Contents(data.getAtIndex(Tensor.FP64, i));
      case FP16, BF16, BYTES -> throw new IllegalStateException("type: " + tensor.type());
    }
  }

  private static void strings(MemorySegment data, InferTensorContents.Builder out) {
    long at = 0;
    while (at < data.byteSize()) {
      long length = Integer.toUnsignedLong(data.get(Tensor.INT32, at));
      MemorySegment element = data.asSlice(at + PREFIX, length);
      out.addBytesContents(UnsafeByteOperations.unsafeWrap(element.asByteBuffer()));
      at += PREFIX + length;
    }
  }
}
