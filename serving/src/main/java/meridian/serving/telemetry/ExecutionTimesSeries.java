package meridian.serving.telemetry;

import io.prometheus.metrics.core.metrics.GaugeWithCallback.Callback;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import meridian.core.latency.ExecutionTimes;

/**
 * Execution times by rows, read when somebody looks. Of the sizes only powers of two, and of each
 * only that of the inputs used last, so that the number of series is bounded.
 */
final class ExecutionTimesSeries {

  private static final double NANOS = 1e9;

  private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

  Metrics.Watch add(String model, String version, Supplier<ExecutionTimes> times) {
    Entry entry = new Entry(model, version, times);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  void show(Callback gauge) {
    for (Entry entry : entries) {
      bySize(entry.times.get())
          .forEach(
              (rows, time) -> {
                String label = Integer.toString(rows);
                gauge.call(time.medianNanos() / NANOS, entry.model, entry.version, label, "0.5");
                gauge.call(time.q99Nanos() / NANOS, entry.model, entry.version, label, "0.99");
              });
    }
  }

  private static Map<Integer, ExecutionTimes.Entry> bySize(ExecutionTimes times) {
    Map<Integer, ExecutionTimes.Entry> bySize = new TreeMap<>();
    for (ExecutionTimes.Entry entry : times.entries()) {
      if (Integer.bitCount(entry.rows()) == 1) {
        bySize.put(entry.rows(), entry);
      }
    }
    return bySize;
  }

  /** Told apart by identity: a version that replaces another has its name. */
  private static final class Entry {
    final String model;
    final String version;
    final Supplier<ExecutionTimes> times;

    Entry(String model, String version, Supplier<ExecutionTimes> times) {
      this.model = model;
      this.version = version;
      this.times = times;
    }
  }
}
