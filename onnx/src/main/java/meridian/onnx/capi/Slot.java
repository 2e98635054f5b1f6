package meridian.onnx.capi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/** Where a function of the C API writes its one result. */
record Slot(MemorySegment memory) {

  static Slot in(SegmentAllocator memory) {
    return new Slot(memory.allocate(ValueLayout.JAVA_LONG));
  }

  long address() {
    return memory.address();
  }

  /** A pointer or a size. */
  long get() {
    return memory.get(ValueLayout.JAVA_LONG, 0);
  }

  /** An enumeration or a truth value. */
  int getInt() {
    return memory.get(ValueLayout.JAVA_INT, 0);
  }
}
