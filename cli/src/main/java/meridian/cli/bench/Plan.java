package meridian.cli.bench;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a report needs to know of a test beside its figures.
 *
 * @param askedPerSecond requests per second; null for a closed loop
 * @param budget that P99 should stay within
 * @param rows of a request to the server
 * @param limit null when only the server is measured
 */
public record Plan(
    String title,
    @Nullable Double askedPerSecond,
    Duration budget,
    int rows,
    @Nullable Limit limit) {

  /** A share of failures that is no reason to call a test failed. */
  static final double TOLERATED_FAILURES = 0.001;

  /**
   * How the model is run in process.
   *
   * @param rows of a run
   * @param threads that run it, each on its own
   */
  public record Limit(int rows, int threads) {}

  /** The same at another rate. */
  public Plan at(double perSecond) {
    return new Plan(title, perSecond, budget, rows, limit);
  }
}
