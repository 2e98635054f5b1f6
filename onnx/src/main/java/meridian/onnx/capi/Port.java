package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/**
 * An input or output of a graph.
 *
 * @param tensor what fits; null for what is no tensor of a type that the protocol has
 * @param kind what it is: {@code tensor}, {@code sequence}, {@code map} …
 * @param rowsName the graph's name for the size of the first dimension; empty when there is none
 */
public record Port(String name, @Nullable TensorSpec tensor, String kind, String rowsName) {

  private static final int TENSOR = 1;

  /** Reads {@code type}, an OrtTypeInfo. */
  static Port read(String name, long type, Arena arena) throws OrtFailure {
    Slot slot = Slot.in(arena);
    OrtApi.TYPE_KIND.call(type, slot.address());
    int kind = slot.getInt();
    if (kind != TENSOR) {
      return new Port(name, null, kindName(kind), "");
    }
    OrtApi.TYPE_AS_TENSOR.call(type, slot.address());
    long info = slot.get();
    DataType elements = elementType(info, slot);
    if (elements == null) {
      return new Port(name, null, "tensor of ONNX element type " + slot.getInt(), "");
    }
    Shape shape = shape(info, slot, arena);
    TensorSpec spec = new TensorSpec(name, elements, shape, false);
    return new Port(name, spec, "tensor", rowsName(info, shape.rank(), arena));
  }

  /** The element type of an OrtTensorTypeAndShapeInfo; its number is left in {@code slot}. */
  static @Nullable DataType elementType(long info, Slot slot) throws OrtFailure {
    OrtApi.ELEMENT_TYPE.call(info, slot.address());
    return ElementTypes.dataType(slot.getInt());
  }

  /** The shape in an OrtTensorTypeAndShapeInfo. */
  static Shape shape(long info, Slot slot, SegmentAllocator memory) throws OrtFailure {
    OrtApi.RANK.call(info, slot.address());
    long rank = slot.get();
    if (rank == 0) {
      return Shape.SCALAR;
    }
    MemorySegment dims = memory.allocate(ValueLayout.JAVA_LONG, rank);
    OrtApi.DIMENSIONS.call(info, dims.address(), rank);
    return Shape.of(dims.toArray(ValueLayout.JAVA_LONG));
  }

  private static String rowsName(long info, int rank, Arena arena) throws OrtFailure {
    if (rank == 0) {
      return "";
    }
    MemorySegment names = arena.allocate(ValueLayout.ADDRESS, rank);
    OrtApi.DIMENSION_NAMES.call(info, names.address(), rank);
    return OrtApi.text(names.get(ValueLayout.ADDRESS, 0));
  }

  private static String kindName(int kind) {
    return switch (kind) {
      case 2 -> "sequence";
      case 3 -> "map";
      case 4 -> "opaque value";
      case 5 -> "sparse tensor";
      case 6 -> "optional value";
      default -> "value of unknown kind " + kind;
    };
  }
}
