package meridian.serving.telemetry;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Values that are asked for when somebody looks, added up by key. */
final class Watches {

  private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

  Metrics.Watch add(String key, LongSupplier value) {
    Entry entry = new Entry(key, value);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  /** By the label values that stand for the key: none for the empty one. */
  Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    for (Entry entry : entries) {
      sums.merge(entry.key, entry.value.getAsLong(), Long::sum);
    }
    return sums;
  }

  /** Told apart by identity: the same supplier may be watched twice. */
  private static final class Entry {
    final String key;
    final LongSupplier value;

    Entry(String key, LongSupplier value) {
      this.key = key;
      this.value = value;
    }
  }
}
