package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class LaneMemoryTest {

  @Test
  void allocate_afterReset_givesDisjointAlignedSegmentsOfTheSameMemory() {
    try (LaneMemory memory = new LaneMemory()) {
      memory.reset(256);
      MemorySegment first = memory.allocate(65, 64);
      MemorySegment second = memory.allocate(3, 64);
      assertThat(second.address() - first.address()).isEqualTo(128);
      memory.reset(256);
      assertThat(memory.allocate(10, 64).address()).isEqualTo(first.address());
    }
  }

  @Test
  void allocate_moreThanAskedFor_throwsWithTheNumbers() {
    try (LaneMemory memory = new LaneMemory()) {
      memory.reset(100);
      assertThatThrownBy(() -> memory.allocate(1 << 20, 64))
          .hasMessage("allocation: 1048576 bytes aligned to 64 (expected: at most 4096, 64)");
    }
  }

  @Test
  void reset_steadyBatches_keepTheMemory() {
    try (LaneMemory memory = new LaneMemory()) {
      memory.reset(1 << 20);
      long address = memory.allocate(1, 64).address();
      for (int i = 0; i < 100; i++) {
        memory.reset(i % 2 == 0 ? 1 << 20 : 1 << 19);
        assertThat(memory.allocate(1, 64).address()).isEqualTo(address);
      }
    }
  }

  @Test
  void reset_smallBatchesAfterAHugeOne_giveTheMemoryBack() {
    try (LaneMemory memory = new LaneMemory()) {
      memory.reset(64 << 20);
      assertThat(memory.capacity()).isEqualTo(64 << 20);
      for (int i = 0; i < 64; i++) {
        memory.reset(1000);
      }
      assertThat(memory.capacity()).isLessThanOrEqualTo(256 << 10);
    }
  }

  @Test
  void close_givesTheMemoryBack() {
    LaneMemory memory = new LaneMemory();
    memory.reset(100);
    MemorySegment segment = memory.allocate(10, 64);
    memory.close();
    assertThat(segment.scope().isAlive()).isFalse();
  }
}
