package meridian.serving.exchange;

import java.util.concurrent.TimeUnit;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.core.time.Deadline;
import meridian.protocol.Headers;
import org.jspecify.annotations.Nullable;

/** Reads the headers in which a caller says how long an answer is of use. */
public final class Timeouts {

  public static final String GRPC_TIMEOUT = "grpc-timeout";
  private static final int MOST_DIGITS = 18;
  private static final int MOST_GRPC_DIGITS = 8;

  private static final Outcome<Deadline> UNBOUNDED = Outcome.ok(Deadline.NONE);

  private final long longestNanos;

  public Timeouts(long longestNanos) {
    this.longestNanos = longestNanos;
  }

  /**
   * The earliest of both headers and the longest that the server allows.
   *
   * @param millis {@code Meridian-Timeout-Ms}, a whole number above 0, from {@code startNanos}
   * @param grpc {@code grpc-timeout}, up to 8 digits and one of {@code HMSmun}, from {@code
   *     callNanos}, which for a request of a stream is earlier
   */
  public Outcome<Deadline> deadline(
      long startNanos, @Nullable String millis, long callNanos, @Nullable String grpc) {
    Deadline longest = Deadline.after(startNanos, longestNanos);
    return switch (millis(startNanos, millis)) {
      case Outcome.Failed<Deadline> failed -> failed;
      case Outcome.Ok<Deadline>(Deadline asked) ->
          grpc(callNanos, grpc).map(call -> longest.earlier(asked).earlier(call));
    };
  }

  private static Outcome<Deadline> millis(long startNanos, @Nullable String header) {
    if (header == null) {
      return UNBOUNDED;
    }
    long value = digits(header, header.length(), MOST_DIGITS);
    return value > 0
        ? Outcome.ok(Deadline.after(startNanos, TimeUnit.MILLISECONDS.toNanos(value)))
        : invalid(Headers.TIMEOUT_MILLIS, header, "a whole number of milliseconds above 0");
  }

  private static Outcome<Deadline> grpc(long callNanos, @Nullable String header) {
    if (header == null) {
      return UNBOUNDED;
    }
    TimeUnit unit = header.isEmpty() ? null : unit(header.charAt(header.length() - 1));
    long value = digits(header, header.length() - 1, MOST_GRPC_DIGITS);
    return unit != null && value >= 0
        ? Outcome.ok(Deadline.after(callNanos, unit.toNanos(value)))
        : invalid(GRPC_TIMEOUT, header, "1 to 8 digits and one of H M S m u n");
  }

  private static Outcome<Deadline> invalid(String header, String value, String expected) {
    return Outcome.failed(Problem.invalid(header, Quoted.of(value), expected));
  }

  private static @Nullable TimeUnit unit(char letter) {
    return switch (letter) {
      case 'H' -> TimeUnit.HOURS;
      case 'M' -> TimeUnit.MINUTES;
      case 'S' -> TimeUnit.SECONDS;
      case 'm' -> TimeUnit.MILLISECONDS;
      case 'u' -> TimeUnit.MICROSECONDS;
      case 'n' -> TimeUnit.NANOSECONDS;
      default -> null;
    };
  }

  /** The number that the first {@code end} characters are; −1 when they are anything else. */
  private static long digits(String text, int end, int most) {
    if (end < 1 || end > most) {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
