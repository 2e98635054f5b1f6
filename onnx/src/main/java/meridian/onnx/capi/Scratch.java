package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * Hands out small pieces of one block, since a run needs a dozen of them and each piece from an
 * arena costs a call of the C library and a zeroing. What does not fit comes from the arena.
 */
final class Scratch implements SegmentAllocator, AutoCloseable {

  private static final long BLOCK_BYTES = 1024;
  private static final long ALIGNMENT = 8;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment block = arena.allocate(BLOCK_BYTES, ALIGNMENT);
  private long used;

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteAlignment > ALIGNMENT || byteSize > BLOCK_BYTES - used) {
      return arena.allocate(byteSize, byteAlignment);
    }
    MemorySegment piece = block.asSlice(used, byteSize);
    used += (byteSize + ALIGNMENT - 1) & -ALIGNMENT;
    return piece;
  }

  /** A copy of {@code data}, without zeroing the memory first. */
  MemorySegment copyOf(MemorySegment data) {
    return arena.allocateFrom(
        ValueLayout.JAVA_BYTE, data, ValueLayout.JAVA_BYTE, 0, data.byteSize());
  }

  @Override
  public void close() {
    arena.close();
  }
}
