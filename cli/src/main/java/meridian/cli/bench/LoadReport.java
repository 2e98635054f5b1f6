package meridian.cli.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a test gave, for people and for machines. All latencies are from the intended start of a
 * request.
 *
 * @param ratios null when only the server was measured
 * @param trials that led to the rate; empty when the rate was given
 */
public record LoadReport(
    Plan plan,
    LoadTest.Result result,
    Verdict verdict,
    @Nullable Ratios ratios,
    List<MaxRate.Trial> trials) {

  public static final List<Double> PERCENTILES = List.of(50.0, 95.0, 99.0, 99.9);

  public LoadReport {
    trials = List.copyOf(trials);
  }

  /**
   * @param processors of this machine
   */
  public static LoadReport of(
      Plan plan, LoadTest.Result result, List<MaxRate.Trial> trials, int processors) {
    Measurement limit = result.limit();
    Plan.Limit how = plan.limit();
    return new LoadReport(
        plan,
        result,
        Verdict.of(plan, result.server(), processors),
        limit == null || how == null ? null : Ratios.of(plan, how, result.server(), limit),
        trials);
  }

  public String text() {
    return new TextReport(this).text();
  }

  /** The name of a percentile, such as {@code p99} or {@code p99.9}. */
  public static String name(double percentile) {
    return percentile == Math.rint(percentile) ? "p" + (int) percentile : "p" + percentile;
  }
}
