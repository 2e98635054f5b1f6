package meridian.lab.wan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Round trips between cities, in {@code rtt.csv} beside this class: between regions of Azure as
 * Microsoft published them for the 30 days to 2026-07-30 (P95, the larger of both directions), to
 * and from Manila, Beijing and Shanghai as estimated from great-circle distance over 204 km/ms
 * times an inflation fitted on those.
 */
public final class Cities {

  private static final String FILE = "rtt.csv";

  private final Map<List<String>, Duration> rtt = new HashMap<>();
  private final TreeSet<String> codes = new TreeSet<>();

  private Cities(List<String> lines) {
    for (String line : lines) {
      if (!line.startsWith("#")) {
        String[] fields = line.split(",");
        codes.addAll(List.of(fields[0], fields[1]));
        Duration time = Duration.ofMillis(Long.parseLong(fields[2]));
        rtt.put(List.of(fields[0], fields[1]), time);
        rtt.put(List.of(fields[1], fields[0]), time);
      }
    }
  }

  public static Cities load() {
    try (InputStream file = Objects.requireNonNull(Cities.class.getResourceAsStream(FILE), FILE)) {
      return new Cities(new String(file.readAllBytes(), UTF_8).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Three letters each, such as {@code MNL}. */
  public List<String> codes() {
    return List.copyOf(codes);
  }

  /**
   * @throws IllegalArgumentException if no time between the two is known
   */
  public Duration rtt(String from, String to) {
    Duration known = rtt.get(List.of(from, to));
    if (known == null) {
      throw new IllegalArgumentException("%s-%s (expected: two of %s)".formatted(from, to, codes));
    }
    return known;
  }
}
