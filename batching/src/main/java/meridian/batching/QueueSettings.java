package meridian.batching;

/**
 * The queue of one served version.
 *
 * @param model as messages shall name it
 * @param maxBatchRows the most rows of one run, and so of one request
 * @param mixing whether requests may share a run; only where rows are computed independently
 * @param steady whether the shapes of its inputs say how long an execution takes, whatever their
 *     values
 * @param padding of requests that share a run
 * @param maxQueueRows the most rows that wait; a request without rows counts as one
 * @param maxQueueBytes the most input bytes that wait
 * @param maxQueueNanos the most lane time, as predicted, that what waits takes
 * @param defaultPriority of requests that name none; 1 is the highest
 */
public record QueueSettings(
    String model,
    int maxBatchRows,
    boolean mixing,
    boolean steady,
    Padding padding,
    long maxQueueRows,
    long maxQueueBytes,
    long maxQueueNanos,
    int defaultPriority) {

  public QueueSettings {
    requireAtLeast("maxBatchRows", maxBatchRows, 1);
    requireAtLeast("maxQueueRows", maxQueueRows, 0);
    requireAtLeast("maxQueueBytes", maxQueueBytes, 0);
    requireAtLeast("maxQueueNanos", maxQueueNanos, 0);
    requireAtLeast("defaultPriority", defaultPriority, 1);
  }

  private static void requireAtLeast(String field, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s: %d (expected: %d or more)".formatted(field, value, least));
    }
  }
}
