package meridian.serving.telemetry;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.util.function.Function;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;

/** The stage histograms of one model, found once instead of on every request. */
final class StageSeries {

  private static final Stage[] STAGES = Stage.values();
  private static final double NANOS = 1e9;

  private final DistributionDataPoint[] series;

  private StageSeries(DistributionDataPoint[] series) {
    this.series = series;
  }

  static StageSeries of(Function<Stage, DistributionDataPoint> find) {
    DistributionDataPoint[] series = new DistributionDataPoint[STAGES.length];
    for (Stage stage : STAGES) {
      series[stage.ordinal()] = find.apply(stage);
    }
    return new StageSeries(series);
  }

  void observe(LatencyBreakdown latency) {
    for (Stage stage : STAGES) {
      series[stage.ordinal()].observe(latency.nanos(stage) / NANOS);
    }
  }
}
