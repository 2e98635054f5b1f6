package meridian.core.model;

import java.util.List;

/**
 * What a version has done since it was loaded.
 *
 * @param lastInferenceMillis Unix time of the last one; 0 before the first
 * @param inferenceCount rows inferred
 * @param executionCount batches executed
 */
public record ModelStatistics(
    String name,
    String version,
    long lastInferenceMillis,
    long inferenceCount,
    long executionCount,
    Inferences inferences,
    List<Batches> batches) {

  public ModelStatistics {
    batches = List.copyOf(batches);
  }

  /** How often, and how long in all. */
  public record Tally(long count, long nanos) {
    public static final Tally NONE = new Tally(0, 0);

    public Tally plus(long moreNanos) {
      return new Tally(count + 1, nanos + moreNanos);
    }
  }

  /** Per request. */
  public record Inferences(
      Tally success,
      Tally fail,
      Tally queue,
      Tally computeInput,
      Tally computeInfer,
      Tally computeOutput,
      Tally cacheHit,
      Tally cacheMiss) {}

  /** Per executed batch of {@code batchSize} rows. */
  public record Batches(
      long batchSize, Tally computeInput, Tally computeInfer, Tally computeOutput) {}
}
