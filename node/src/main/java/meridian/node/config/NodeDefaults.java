package meridian.node.config;

import java.time.Duration;
import java.util.List;
import meridian.core.backend.Backend.ExecutionProvider;

/**
 * What holds for a model that says nothing else.
 *
 * @param maxRows the most rows of one execution, and so of one request
 * @param maxQueueRows the most rows that wait for a lane
 * @param maxQueueBytes the most input bytes that wait for a lane
 * @param maxQueueTime the most lane time, as predicted, of what waits for a lane
 * @param priority of requests that name none; 1 is the highest
 * @param threads inside one execution
 */
public record NodeDefaults(
    int maxRows,
    long maxQueueRows,
    long maxQueueBytes,
    Duration maxQueueTime,
    int priority,
    List<ExecutionProvider> providers,
    Threads threads) {

  public static final NodeDefaults STANDARD =
      new NodeDefaults(
          64,
          4096,
          256L << 20,
          Duration.ofSeconds(30),
          8,
          List.of(ExecutionProvider.CPU),
          Threads.AUTO);

  public NodeDefaults {
    providers = List.copyOf(providers);
    requirePositive("maxRows", maxRows);
    requirePositive("maxQueueRows", maxQueueRows);
    requirePositive("maxQueueBytes", maxQueueBytes);
    requirePositive("maxQueueTime", maxQueueTime.toNanos());
    requirePositive("priority", priority);
    if (providers.isEmpty()) {
      throw new IllegalArgumentException("providers: [] (expected: one or more)");
    }
  }

  private static void requirePositive(String field, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(field + ": " + value + " (expected: 1 or more)");
    }
  }
}
