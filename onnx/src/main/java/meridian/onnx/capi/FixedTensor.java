package meridian.onnx.capi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** Tensors whose elements are of one size: the protocol's raw form is ONNX Runtime's own. */
@SuppressWarnings("restricted")
final class FixedTensor {

  private FixedTensor() {}

  /** An OrtValue over the tensor's memory, or over a copy in {@code scratch}. */
  static long create(Tensor tensor, long memory, Slot slot, Scratch scratch) throws OrtFailure {
    MemorySegment dims = dims(tensor.shape(), scratch);
    OrtApi.CREATE_TENSOR_OVER.call(
        memory,
        usable(tensor, scratch).address(),
        tensor.data().byteSize(),
        dims.address(),
        tensor.shape().rank(),
        ElementTypes.number(tensor.type()),
        slot.address());
    return slot.get();
  }

  static Tensor read(long value, DataType type, Shape shape, Slot slot) throws OrtFailure {
    long size = Math.multiplyExact(shape.elementCount(), type.byteSize());
    if (size == 0) {
      return new Tensor(type, shape, MemorySegment.ofArray(new byte[0]));
    }
    if (size > Integer.MAX_VALUE - Long.BYTES) {
      throw new OrtFailure(
          "output: %s %s of %d bytes (expected: below 2 GiB)".formatted(type, shape, size));
    }
    OrtApi.TENSOR_DATA.call(value, slot.address());
    byte[] copy =
        MemorySegment.ofAddress(slot.get()).reinterpret(size).toArray(ValueLayout.JAVA_BYTE);
    return new Tensor(type, shape, MemorySegment.ofArray(copy));
  }

  static MemorySegment dims(Shape shape, Scratch scratch) {
    MemorySegment dims = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, shape.rank()));
    for (int i = 0; i < shape.rank(); i++) {
      dims.setAtIndex(ValueLayout.JAVA_LONG, i, shape.dim(i));
    }
    return dims;
  }

  /** Off the heap, aligned to the element, and never at address 0, which means "none" in C. */
  private static MemorySegment usable(Tensor tensor, Scratch scratch) {
    MemorySegment data = tensor.data();
    if (data.byteSize() == 0) {
      return scratch.allocate(Long.BYTES, Long.BYTES);
    }
    if (data.isNative() && data.address() % tensor.type().byteSize() == 0) {
      return data;
    }
    return scratch.copyOf(data);
  }
}
