package meridian.node.lifecycle;

import java.time.Duration;

/**
 * When models come and go.
 *
 * @param loadAll whether what lies in the repository is served; otherwise what is asked for
 * @param pollInterval between two looks at the repository; zero for never
 * @param settle how long files must not have changed before they are read
 * @param maxLoads most models that are loaded at once
 * @param warmUpLimit after which no further batch size is warmed
 * @param stopTimeout the longest wait for requests under way when the node stops
 */
public record LifecycleSettings(
    boolean loadAll,
    Duration pollInterval,
    Duration settle,
    int maxLoads,
    Duration warmUpLimit,
    Duration stopTimeout) {

  public static final LifecycleSettings STANDARD =
      new LifecycleSettings(
          true,
          Duration.ofSeconds(2),
          Duration.ofSeconds(1),
          2,
          Duration.ofSeconds(2),
          Duration.ofSeconds(30));

  public LifecycleSettings {
    requireNotNegative("pollInterval", pollInterval);
    requireNotNegative("settle", settle);
    if (maxLoads < 1) {
      throw new IllegalArgumentException("maxLoads: " + maxLoads + " (expected: 1 or more)");
    }
    requireNotNegative("warmUpLimit", warmUpLimit);
    requireNotNegative("stopTimeout", stopTimeout);
  }

  public LifecycleSettings withLoadAll(boolean all) {
    return new LifecycleSettings(all, pollInterval, settle, maxLoads, warmUpLimit, stopTimeout);
  }

  public LifecycleSettings withMaxLoads(int most) {
    return new LifecycleSettings(loadAll, pollInterval, settle, most, warmUpLimit, stopTimeout);
  }

  private static void requireNotNegative(String field, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(field + ": " + value + " (expected: zero or more)");
    }
  }
}
