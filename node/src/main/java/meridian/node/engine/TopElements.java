package meridian.node.engine;

/** The indices of the largest numbers, by a heap of the best so far with the worst on top. */
final class TopElements {

  private final long[] keys;
  private final int[] heap;

  private TopElements(long[] keys, int count) {
    this.keys = keys;
    this.heap = new int[count];
  }

  /**
   * Takes O(n log count).
   *
   * @return the indices of the {@code count} largest, largest first, lower index first among equals
   */
  static int[] of(long[] keys, int count) {
    return new TopElements(keys, count).sorted();
  }

  private int[] sorted() {
    for (int i = 0; i < heap.length; i++) {
      heap[i] = i;
    }
    for (int i = heap.length / 2 - 1; i >= 0; i--) {
      sink(i, heap.length);
    }
    for (int i = heap.length; i < keys.length; i++) {
      if (isWorse(heap[0], i)) {
        heap[0] = i;
        sink(0, heap.length);
      }
    }
    for (int size = heap.length - 1; size > 0; size--) {
      swap(0, size);
      sink(0, size);
    }
    return heap;
  }

  private void sink(int from, int size) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isWorse(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isWorse(heap[child], heap[at])) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private boolean isWorse(int index, int other) {
    return keys[index] != keys[other] ? keys[index] < keys[other] : index > other;
  }

  private void swap(int i, int j) {
    int held = heap[i];
    heap[i] = heap[j];
    heap[j] = held;
  }
}
