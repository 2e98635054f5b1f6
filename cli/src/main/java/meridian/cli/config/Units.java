package meridian.cli.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and byte sizes as people write them: {@code 250ms}, {@code 10s}, {@code 64MiB}. */
public final class Units {

  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(us|ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)");
  private static final Map<String, Long> SIZES =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  private Units() {}

  /**
   * @throws IllegalArgumentException if the text is no duration
   */
  public static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text + " (expected: a duration such as 250ms, 10s, 5m)");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "us" -> Duration.ofNanos(amount * 1_000);
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos % 1_000_000 != 0) {
      return nanos / 1_000 + "us";
    }
    if (duration.toMillis() % 1_000 != 0) {
      return duration.toMillis() + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds / 60 + "m";
  }

  /**
   * @return bytes
   * @throws IllegalArgumentException if the text is no size
   */
  public static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text + " (expected: a size such as 512KiB, 64MiB, 2GiB)");
    }
    return Math.multiplyExact(
        Long.parseLong(matcher.group(1)), SIZES.getOrDefault(matcher.group(2), 1L));
  }

  /** Nanoseconds as milliseconds with as many decimals as tell something. */
  public static String millis(long nanos) {
    return millis((double) nanos);
  }

  /** Nanoseconds as milliseconds with as many decimals as tell something. */
  public static String millis(double nanos) {
    double millis = nanos / 1e6;
    String format = millis < 10 ? "%.2f" : millis < 100 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, millis);
  }
}
