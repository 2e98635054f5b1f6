package meridian.lab.wan;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * When bytes that enter one way of a link come out: pure, and the same for the same seed and bytes.
 * Not for several threads.
 */
final class LinkModel {

  /** How long TCP waits for an acknowledgement before it sends again (RFC 6298), at the least. */
  private static final long RETRANSMISSION_NANOS = Duration.ofMillis(200).toNanos();

  private final SplittableRandom random;
  private long freeNanos;
  private long lastNanos;

  /**
   * @param startNanos before which nothing comes out
   */
  LinkModel(long seed, long startNanos) {
    this.random = new SplittableRandom(seed);
    this.freeNanos = startNanos;
    this.lastNanos = startNanos;
  }

  /**
   * @param nowNanos when the bytes enter, not before that of the last
   * @return when the last of them comes out, not before the last of those before
   */
  long outNanos(LinkSettings settings, long nowNanos, int bytes) {
    long rtt = settings.rtt().toNanos();
    freeNanos = Math.max(freeNanos, nowNanos) + serialized(settings, bytes);
    long out = freeNanos + rtt / 2 + jitter(settings);
    if (random.nextDouble() < settings.loss()) {
      out += RETRANSMISSION_NANOS + rtt;
    }
    lastNanos = Math.max(lastNanos, out);
    return lastNanos;
  }

  private static long serialized(LinkSettings settings, int bytes) {
    return settings.bytesPerSecond() == 0 ? 0 : (long) (bytes * 1e9 / settings.bytesPerSecond());
  }

  private long jitter(LinkSettings settings) {
    return (long) (-Math.log(1 - random.nextDouble()) * settings.jitter().toNanos());
  }
}
