package meridian.cli;

import java.time.Duration;
import java.util.SplittableRandom;
import meridian.cli.bench.Arrivals;
import meridian.cli.bench.LoadShape;
import meridian.client.Bounds;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** When {@code bench} sends requests, and for how long. */
final class LoadOptions {

  /** So that a test sends the same again. */
  static final long SEED = 42;

  private static final int IN_FLIGHT_EACH =
      Bounds.DEFAULT.inFlight() / Bounds.DEFAULT.connections();

  private static final int MOST_CONNECTIONS = 10_000;

  private static final Duration OPEN_SLICE = Duration.ofSeconds(1);

  /** The last answers of a slice come while nothing is sent, which must not weigh. */
  private static final Duration CLOSED_SLICE = Duration.ofSeconds(5);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      defaultValue = "50",
      description = "Requests per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = "Keep N requests under way instead of a rate (closed loop).")
  private @Nullable Integer inFlight;

  @Option(
      names = "--arrivals",
      paramLabel = "KIND",
      defaultValue = "poisson",
      converter = ArrivalsConverter.class,
      description = "poisson or constant (default: ${DEFAULT-VALUE}).")
  private Arrivals arrivals;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Most connections, opened as those there are full, with 750 requests each on the wire at "
              + "most (default: ${DEFAULT-VALUE}); further requests wait, and the report says so.")
  private int connections;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "How long to measure (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "3s",
      converter = DurationConverter.class,
      description = "How long to load before measuring (default: ${DEFAULT-VALUE}).")
  private Duration warmUp;

  void check() {
    Checks.requirePositive(spec, "--rate", rate);
    Checks.requirePositive(spec, "--in-flight", inFlight);
    if (inFlight != null && spec.commandLine().getParseResult().hasMatchedOption("--rate")) {
      throw new ParameterException(
          spec.commandLine(), "--in-flight: beside --rate (expected: one of them)");
    }
    Checks.requireWithin(spec, "--connections", connections, MOST_CONNECTIONS);
    Checks.requirePositive(spec, "--duration", duration);
  }

  Bounds bounds() {
    return new Bounds(connections, connections * IN_FLIGHT_EACH, Bounds.DEFAULT.waiting());
  }

  boolean isClosed() {
    return inFlight != null;
  }

  double rate() {
    return rate;
  }

  Duration duration() {
    return duration;
  }

  /** How long a turn of the server or of the limit is. */
  Duration slice() {
    return isClosed() ? CLOSED_SLICE : OPEN_SLICE;
  }

  Duration warmUp() {
    return warmUp;
  }

  LoadShape shape() {
    return inFlight == null ? open(rate) : new LoadShape.Closed(inFlight, NanoClock.SYSTEM);
  }

  LoadShape open(double perSecond) {
    return new LoadShape.Open(perSecond, arrivals, new SplittableRandom(SEED), NanoClock.SYSTEM);
  }
}
