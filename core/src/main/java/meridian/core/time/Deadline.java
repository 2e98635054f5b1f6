package meridian.core.time;

import java.time.Duration;

/**
 * The instant by which an answer is of use, on a {@link NanoClock}. Instants are compared by
 * difference, so that the clock may wrap around.
 *
 * @param atNanos the instant in nanoseconds; meaningless when {@code bounded} is false
 * @param bounded false for a request that may take as long as it likes
 */
public record Deadline(long atNanos, boolean bounded) {

  public static final Deadline NONE = new Deadline(0, false);

  private static final long LONGEST_NANOS = Duration.ofDays(365).toNanos();

  public static Deadline at(long atNanos) {
    return new Deadline(atNanos, true);
  }

  /** The deadline {@code nanos} from {@code nowNanos}; longer than a year counts as a year. */
  public static Deadline after(long nowNanos, long nanos) {
    return at(nowNanos + Math.min(nanos, LONGEST_NANOS));
  }

  public boolean isPast(long nowNanos) {
    return bounded && nowNanos - atNanos >= 0;
  }

  /** Nanoseconds left, negative once past; {@link Long#MAX_VALUE} when unbounded. */
  public long remainingNanos(long nowNanos) {
    return bounded ? atNanos - nowNanos : Long.MAX_VALUE;
  }

  public Deadline earlier(Deadline other) {
    if (!bounded) {
      return other;
    }
    return other.bounded && other.atNanos - atNanos < 0 ? other : this;
  }
}
