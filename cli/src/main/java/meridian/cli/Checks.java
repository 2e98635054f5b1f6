package meridian.cli;

import java.time.Duration;
import meridian.cli.config.Units;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses values that make no sense, as wrong use. */
final class Checks {

  private Checks() {}

  static void requirePositive(CommandSpec spec, String option, int value) {
    if (value < 1) {
      throw wrong(spec, option, value, "1 or more");
    }
  }

  static void requireWithin(CommandSpec spec, String option, int value, int most) {
    if (value < 1 || value > most) {
      throw wrong(spec, option, value, "1.." + most);
    }
  }

  /** Null is what was not given. */
  static void requirePositive(CommandSpec spec, String option, @Nullable Integer value) {
    if (value != null) {
      requirePositive(spec, option, value.intValue());
    }
  }

  static void requirePositive(CommandSpec spec, String option, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw wrong(spec, option, value, "above 0");
    }
  }

  /** Null is what was not given. */
  static void requirePositive(CommandSpec spec, String option, @Nullable Duration value) {
    if (value != null && !value.isPositive()) {
      throw wrong(spec, option, Units.format(value), "above 0s");
    }
  }

  private static ParameterException wrong(
      CommandSpec spec, String option, Object value, String expected) {
    return new ParameterException(
        spec.commandLine(), option + ": " + value + " (expected: " + expected + ")");
  }
}
