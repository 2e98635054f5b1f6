package meridian.cli;

import java.time.Duration;
import meridian.cli.config.Units;
import meridian.lab.wan.Cities;
import meridian.lab.wan.LinkSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a link is at first. */
final class LinkOptions {

  private static final String PER_SECOND =
      "Of each way in a second, such as 10MiB (default: no bound).";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--between",
      paramLabel = "CITIES",
      description = "Take the round trip between two cities, such as MNL-AMS.")
  private @Nullable String between;

  @Option(
      names = "--rtt",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "The round trip (default: none, or that of --between).")
  private @Nullable Duration rtt;

  @Option(
      names = "--jitter",
      paramLabel = "TIME",
      defaultValue = "0ms",
      converter = DurationConverter.class,
      description = "Added to each way at the mean (default: none).")
  private Duration jitter;

  @Option(names = "--bandwidth", paramLabel = "SIZE", description = PER_SECOND)
  private @Nullable String bandwidth;

  @Option(
      names = "--loss",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "Share of packets that have to be sent again (default: 0).")
  private double loss;

  @Option(
      names = "--resets",
      paramLabel = "SHARE",
      defaultValue = "0",
      description = "Share of connections that are reset (default: 0).")
  private double resets;

  LinkSettings settings() {
    try {
      return LinkSettings.NONE
          .withRtt(roundTrip())
          .withJitter(jitter)
          .withBytesPerSecond(bandwidth == null ? 0 : Units.bytes(bandwidth))
          .withLoss(loss)
          .withResets(resets);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "link: " + e.getMessage(), e);
    }
  }

  private Duration roundTrip() {
    if (rtt != null) {
      return rtt;
    }
    if (between == null) {
      return Duration.ZERO;
    }
    String[] cities = between.split("-", 2);
    if (cities.length != 2) {
      throw new IllegalArgumentException(between + " (expected: two cities, such as MNL-AMS)");
    }
    return Cities.load().rtt(cities[0], cities[1]);
  }
}
