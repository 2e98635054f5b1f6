package meridian.protocol;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LatencyBreakdown} as the W3C's Server-Timing header, in milliseconds with three
 * decimals: {@code network;dur=0.123, data;dur=0.045, …, total;dur=1.204}. Stages are rounded down
 * to whole microseconds and the total is the sum of what is shown.
 */
public final class ServerTiming {

  private static final long NANOS_PER_MICRO = 1_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String DURATION = "dur=";
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final Stage[] STAGES = Stage.values();

  private ServerTiming() {}

  public static String render(LatencyBreakdown latency) {
    StringBuilder header = new StringBuilder(112);
    long totalMicros = 0;
    for (Stage stage : STAGES) {
      long micros = latency.nanos(stage) / NANOS_PER_MICRO;
      totalMicros += micros;
      append(header, stage.label(), micros).append(", ");
    }
    return append(header, "total", totalMicros).toString();
  }

  private static StringBuilder append(StringBuilder header, String name, long micros) {
    header.append(name).append(";dur=").append(micros / 1_000).append('.');
    long fraction = micros % 1_000;
    if (fraction < 100) {
      header.append(fraction < 10 ? "00" : "0");
    }
    return header.append(fraction);
  }

  /**
   * Reads a header that this or another server wrote. Entries that are no stage of ours are
   * skipped; what the total exceeds the stages by counts as service.
   *
   * @return empty when no stage and no total can be read from it
   */
  public static Optional<LatencyBreakdown> parse(String header) {
    LatencyBreakdown latency = LatencyBreakdown.ZERO;
    long total = 0;
    boolean any = false;
    for (String entry : header.split(",", -1)) {
      String[] parts = entry.split(";", -1);
      long nanos = nanos(parts);
      if (nanos < 0) {
        continue;
      }
      String name = parts[0].strip().toLowerCase(Locale.ROOT);
      Stage stage = stage(name);
      if (stage != null) {
        latency = latency.plus(stage, nanos);
      } else if (name.equals("total")) {
        total = nanos;
      }
      any |= stage != null || name.equals("total");
    }
    return any ? Optional.of(latency.filledTo(total)) : Optional.empty();
  }

  private static @Nullable Stage stage(String name) {
    for (Stage stage : STAGES) {
      if (stage.label().equals(name)) {
        return stage;
      }
    }
    return null;
  }

  /** The duration among an entry's parameters, or −1 when there is none that makes sense. */
  private static long nanos(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      if (part.regionMatches(true, 0, DURATION, 0, DURATION.length())) {
        return nanos(part.substring(DURATION.length()).strip());
      }
    }
    return -1;
  }

  private static long nanos(String millis) {
    if (!MILLIS.matcher(millis).matches()) {
      return -1;
    }
    return Math.round(Double.parseDouble(millis) * NANOS_PER_MILLI);
  }
}
