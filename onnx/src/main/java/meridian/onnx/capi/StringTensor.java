package meridian.onnx.capi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/**
 * Tensors of byte strings. ONNX Runtime keeps each element as a string of its own; the protocol has
 * them in a row, each behind its length.
 */
@SuppressWarnings("restricted")
final class StringTensor {

  private static final int PREFIX = Integer.BYTES;

  private StringTensor() {}

  /** An OrtValue with copies of the elements. */
  static long create(Tensor tensor, long allocator, Slot slot, Scratch scratch) throws OrtFailure {
    OrtApi.CREATE_TENSOR.call(
        allocator,
        FixedTensor.dims(tensor.shape(), scratch).address(),
        tensor.shape().rank(),
        ElementTypes.number(DataType.BYTES),
        slot.address());
    long value = slot.get();
    try {
      fill(value, tensor.data(), tensor.elementCount(), slot);
      return value;
    } catch (OrtFailure | RuntimeException e) {
      OrtApi.RELEASE_VALUE.release(value);
      throw e;
    }
  }

  static Tensor read(long value, Shape shape, Slot slot, Scratch scratch) throws OrtFailure {
    int count = Math.toIntExact(shape.elementCount());
    OrtApi.STRINGS_LENGTH.call(value, slot.address());
    int length = Math.toIntExact(slot.get());
    MemorySegment content = scratch.allocate(Math.max(1, length));
    MemorySegment offsets = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
    if (count > 0) {
      OrtApi.STRINGS_CONTENT.call(value, content.address(), length, offsets.address(), count);
    }
    return new Tensor(DataType.BYTES, shape, framed(content.asSlice(0, length), offsets, count));
  }

  private static void fill(long value, MemorySegment data, long count, Slot slot)
      throws OrtFailure {
    long at = 0;
    for (long i = 0; i < count; i++) {
      long length = Integer.toUnsignedLong(data.get(Tensor.INT32, at));
      MemorySegment element = data.asSlice(at + PREFIX, length);
      OrtApi.STRING_BUFFER.call(value, i, length, slot.address());
      MemorySegment.ofAddress(slot.get()).reinterpret(length).copyFrom(element);
      at += PREFIX + length;
    }
  }

  private static MemorySegment framed(MemorySegment content, MemorySegment offsets, int count) {
    long length = content.byteSize();
    MemorySegment framed =
        MemorySegment.ofArray(new byte[Math.toIntExact(length + (long) count * PREFIX)]);
    for (int i = 0; i < count; i++) {
      long from = offsets.getAtIndex(ValueLayout.JAVA_LONG, i);
      long to = i + 1 < count ? offsets.getAtIndex(ValueLayout.JAVA_LONG, i + 1) : length;
      long at = from + (long) i * PREFIX;
      framed.set(Tensor.INT32, at, (int) (to - from));
      MemorySegment.copy(content, from, framed, at + PREFIX, to - from);
    }
    return framed;
  }
}
