package meridian.fleet.failure;

/**
 * How many of two kinds there were in the last while, to a tenth of it. Not for several threads.
 */
final class RecentCount {

  private static final int SLOTS = 10;

  private final long slotNanos;
  private final int[] some = new int[SLOTS];
  private final int[] all = new int[SLOTS];
  private long slot = Long.MIN_VALUE;

  RecentCount(long nanos) {
    this.slotNanos = nanos / SLOTS;
  }

  /**
   * @param isOne whether it counts among those of interest
   */
  void add(long nowNanos, boolean isOne) {
    advance(nowNanos);
    int index = (int) Math.floorMod(slot, (long) SLOTS);
    all[index]++;
    some[index] += isOne ? 1 : 0;
  }

  int all(long nowNanos) {
    return sum(all, nowNanos);
  }

  int some(long nowNanos) {
    return sum(some, nowNanos);
  }

  void clear() {
    slot = Long.MIN_VALUE;
  }

  private int sum(int[] slots, long nowNanos) {
    advance(nowNanos);
    int sum = 0;
    for (int each : slots) {
      sum += each;
    }
    return sum;
  }

  private void advance(long nowNanos) {
    long now = Math.floorDiv(nowNanos, slotNanos);
    long first = slot == Long.MIN_VALUE ? now - SLOTS + 1 : Math.max(slot + 1, now - SLOTS + 1);
    for (long empty = first; empty <= now; empty++) {
      int index = (int) Math.floorMod(empty, (long) SLOTS);
      some[index] = 0;
      all[index] = 0;
    }
    slot = now;
  }
}
