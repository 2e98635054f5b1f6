package meridian.benchmarks.routing;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: what is to happen, and when. */
final class Agenda {

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::nanos).thenComparingLong(Entry::number));
  private long nowNanos;
  private long count;

  private record Entry(long nanos, long number, Runnable event) {}

  long nowNanos() {
    return nowNanos;
  }

  void after(long nanos, Runnable event) {
    entries.add(new Entry(nowNanos + nanos, count++, event));
  }

  void run() {
    for (Entry next = entries.poll(); next != null; next = entries.poll()) {
      nowNanos = next.nanos;
      next.event.run();
    }
  }
}
