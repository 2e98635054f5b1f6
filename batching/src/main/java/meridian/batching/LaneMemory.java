package meridian.batching;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A lane's off-heap memory, written over by every batch. It grows to what a batch needs and shrinks
 * when batches have long needed much less. Confined to its thread: whoever kept a tensor of it and
 * reads it elsewhere gets an exception instead of a stranger's rows.
 */
final class LaneMemory implements SegmentAllocator, AutoCloseable {

  private static final long ALIGNMENT = 64;
  private static final long SMALLEST = 4 * 1024;

  /** The share of the recent peak that is forgotten with each batch, and the slack left to it. */
  private static final int FORGET = 8;

  private static final int SLACK = 4;

  private Arena arena = Arena.ofConfined();
  private MemorySegment segment = MemorySegment.NULL;
  private long used;
  private long peak;

  /** Bytes to ask for where {@code bytes} are to be allocated. */
  static long aligned(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /**
   * Begins a batch. What was allocated before is lost.
   *
   * @param bytes the sum of the {@link #aligned} sizes that will be allocated
   */
  void reset(long bytes) {
    used = 0;
    peak = Math.max(bytes, peak - peak / FORGET);
    long capacity = capacity();
    if (bytes > capacity || capacity > Math.max(SMALLEST, SLACK * peak)) {
      resize(Math.max(SMALLEST, aligned(peak)));
    }
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteAlignment > ALIGNMENT || byteSize > capacity() - used) {
      throw new IllegalArgumentException(
          "allocation: %d bytes aligned to %d (expected: at most %d, %d)"
              .formatted(byteSize, byteAlignment, capacity() - used, ALIGNMENT));
    }
    MemorySegment allocated = segment.asSlice(used, byteSize);
    used += aligned(byteSize);
    return allocated;
  }

  long capacity() {
    return segment.byteSize();
  }

  @Override
  public void close() {
    arena.close();
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by the next resize or by close
  private void resize(long bytes) {
    arena.close();
    segment = MemorySegment.NULL;
    arena = Arena.ofConfined();
    segment = arena.allocate(bytes, ALIGNMENT);
  }
}
