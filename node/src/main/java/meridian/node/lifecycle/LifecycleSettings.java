package meridian.node.lifecycle;

import java.time.Duration;

/**
 * When models come and go.
 *
 * @param loadAll whether what lies in the repository is served; otherwise what is asked for
 * @param pollInterval between two looks at the repository; zero for never
 * @param settle how long files must not have changed before they are read
 * @param warmUpLimit after which no further batch size is warmed
 * @param stopTimeout the longest wait for requests under way when the node stops
 */
public record LifecycleSettings(
    boolean loadAll,
    Duration pollInterval,
    Duration settle,
    Duration warmUpLimit,
    Duration stopTimeout) {

  public static final LifecycleSettings STANDARD =
      new LifecycleSettings(
          true,
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(30));

  public LifecycleSettings {
    requireNotNegative("pollInterval", pollInterval);
    requireNotNegative("settle", settle);
    requireNotNegative("warmUpLimit", warmUpLimit);
    requireNotNegative("stopTimeout", stopTimeout);
  }

  private static void requireNotNegative(String field, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(field + ": " + value + " (expected: zero or more)");
    }
  }
}
