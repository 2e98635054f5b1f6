package meridian.cli;

import java.time.Duration;
import meridian.cli.bench.MaxRate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whether {@code bench} looks for a rate, and what it must keep to. */
final class SearchOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--find-max",
      description =
          "Find the highest rate whose P99 stays within the budget, starting at --rate: trials that"
              + " double, then halve the gap; the last one takes --duration and is the report.")
  private boolean findMax;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      defaultValue = "100ms",
      converter = DurationConverter.class,
      description = "What P99 should stay within (default: ${DEFAULT-VALUE}).")
  private Duration budget;

  @Option(
      names = "--trial",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = DurationConverter.class,
      description = "How long a trial of --find-max is at most (default: ${DEFAULT-VALUE}).")
  private Duration trial;

  void check(LoadOptions load, LimitOptions limit) {
    Checks.requirePositive(spec, "--budget", budget);
    Checks.requirePositive(spec, "--trial", trial);
    if (findMax && (load.isClosed() || limit.isGiven())) {
      throw new ParameterException(
          spec.commandLine(), "--find-max: given (expected: without --in-flight and --limit)");
    }
  }

  boolean isGiven() {
    return findMax;
  }

  Duration budget() {
    return budget;
  }

  MaxRate.Settings settings(LoadOptions load) {
    return new MaxRate.Settings(load.rate(), budget, trial, load.duration(), load.warmUp());
  }
}
