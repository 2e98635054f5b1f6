package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import meridian.core.latency.Stage;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RatiosTest {

  private static final Offset<Double> NEAR = within(0.01);

  private final Measurement server =
      Figures.measurement(Figures.interval(200, 0), Figures.usage(0, 0, 0.8));
  private final Measurement limit =
      Figures.measurement(Figures.interval(100, 0), Figures.usage(0, 0, 0.1));

  @Test
  void ratios_openLoop_compareLatencyAndProcessorTime() {
    Plan.Limit how = new Plan.Limit(1, 1);
    Ratios ratios = Ratios.of(Figures.plan("t", 10.0, how), how, server, limit);
    assertThat(ratios.p50()).isCloseTo(2, NEAR);
    assertThat(ratios.p99()).isCloseTo(2, NEAR);
    // 8 s for 200 rows, 1 s for 100.
    assertThat(ratios.serverCpuMillis()).isCloseTo(40, NEAR);
    assertThat(ratios.limitCpuMillis()).isCloseTo(10, NEAR);
    assertThat(ratios.cpu()).isCloseTo(4, NEAR);
    assertThat(ratios.throughput()).isNull();
  }

  @Test
  void ratios_closedLoopOfBatches_compareRowsNotRuns() {
    Plan.Limit how = new Plan.Limit(32, 2);
    Ratios ratios = Ratios.of(Figures.plan("t", null, how), how, server, limit);
    assertThat(ratios.p50()).isNull();
    assertThat(ratios.limitCpuMillis()).isCloseTo(10 / 32.0, NEAR);
    double runSeconds = limit.total().meanNanos(Stage.MODEL) / 1e9;
    assertThat(ratios.limitRowsPerSecond()).isCloseTo(2 * 32 / runSeconds, NEAR);
    assertThat(ratios.serverRowsPerSecond()).isCloseTo(200 / 10.05, NEAR);
    assertThat(ratios.throughput()).isCloseTo(200 / 10.05 / (2 * 32 / runSeconds), within(0.0001));
  }

  @Test
  void ratios_processUnknownOrNothingAnswered_areLeftOut() {
    Plan.Limit how = new Plan.Limit(1, 1);
    Measurement unknown =
        Figures.measurement(Figures.interval(10, 0), new Measurement.Usage(0, 0, -1));
    Ratios ratios = Ratios.of(Figures.plan("t", 10.0, how), how, unknown, limit);
    assertThat(ratios.serverCpuMillis()).isNull();
    assertThat(ratios.cpu()).isNull();
    Measurement silent = Figures.measurement(LoadRecord.Interval.empty(), Figures.usage(0, 0, 0.1));
    assertThat(Ratios.of(Figures.plan("t", 10.0, how), how, server, silent).p50()).isNull();
  }
}
