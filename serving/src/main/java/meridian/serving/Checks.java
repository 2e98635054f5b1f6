package meridian.serving;

import java.time.Duration;

/** The checks of settings. */
final class Checks {

  private Checks() {}

  static void within(String key, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          key + ": " + value + " (expected: " + least + " to " + most + ")");
    }
  }

  static void positive(String key, Duration value) {
    if (!value.isPositive()) {
      throw new IllegalArgumentException(key + ": " + value + " (expected: above 0)");
    }
  }

  static void notNegative(String key, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(key + ": " + value + " (expected: 0 or more)");
    }
  }
}
