package meridian.node.repository;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells what has come to rest: seen the same in two looks at least a settle interval apart, with no
 * other value between. Not for several threads.
 */
public final class Settling<K, V> {

  private final long settleNanos;
  private final Map<K, Seen<V>> seen = new HashMap<>();

  public Settling(long settleNanos) {
    this.settleNanos = settleNanos;
  }

  /**
   * Takes note of a look.
   *
   * @param value null for what is not there
   * @return true when the value has come to rest
   */
  public boolean observe(K key, @Nullable V value, long nowNanos) {
    Seen<V> before = seen.get(key);
    if (before == null || !Objects.equals(before.value, value)) {
      seen.put(key, new Seen<>(value, nowNanos));
      return false;
    }
    return nowNanos - before.sinceNanos >= settleNanos;
  }

  public void forget(K key) {
    seen.remove(key);
  }

  private record Seen<V>(@Nullable V value, long sinceNanos) {}
}
