package meridian.serving.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import meridian.core.error.ErrorCode;
import meridian.core.latency.ExecutionTimes;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.model.ModelState;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private static final LatencyBreakdown MILLI =
      new LatencyBreakdown(100_000, 200_000, 300_000, 400_000, 0);

  private final Metrics metrics = Metrics.create();

  @Test
  void request_knownModel_countsTimeAndStages() {
    metrics.modelState("m", "3", ModelState.READY);
    metrics.request("m", "3", Protocol.GRPC, null, MILLI);
    assertThat(text())
        .contains(
            "meridian_request_seconds_sum{code=\"ok\",model=\"m\",protocol=\"grpc\",version=\"3\"}"
                + " 0.001\n")
        .contains("meridian_stage_seconds_sum{model=\"m\",stage=\"model\"} 4.0E-4\n")
        .contains("meridian_stage_seconds_count{model=\"m\",stage=\"service\"} 1\n");
  }

  @Test
  void request_namesByTheThousand_makeOneSeries() {
    metrics.modelState("m", "3", ModelState.READY);
    metrics.request("x", "1", Protocol.REST, ErrorCode.NOT_FOUND, MILLI);
    metrics.request("m", "x", Protocol.REST, ErrorCode.NOT_FOUND, MILLI);
    metrics.rejected("x", ErrorCode.OVERLOADED);
    metrics.batch("x", 1);
    long lines = text().lines().filter(line -> line.startsWith("meridian_")).count();
    IntStream.range(0, 20_000)
        .forEach(
            i -> {
              metrics.request("x" + i, "1" + i, Protocol.REST, ErrorCode.NOT_FOUND, MILLI);
              metrics.request("m", "x" + i, Protocol.REST, ErrorCode.NOT_FOUND, MILLI);
              metrics.rejected("x" + i, ErrorCode.OVERLOADED);
              metrics.batch("x" + i, 1);
            });
    assertThat(text().lines().filter(line -> line.startsWith("meridian_"))).hasSize((int) lines);
    assertThat(text())
        .contains(
            "meridian_request_seconds_count{code=\"not_found\",model=\"unknown\","
                + "protocol=\"rest\",version=\"unknown\"} 20001\n")
        .contains("meridian_rejected_total{model=\"unknown\",reason=\"overloaded\"} 20001.0\n");
  }

  @Test
  void executionTimes_areShownBySizeUntilClosed() {
    ExecutionTimes times =
        new ExecutionTimes(
            List.of(
                time(1, 1_000_000), time(3, 2_000_000), time(1, 5_000_000), time(4, 7_000_000)));
    Metrics.Watch watch = metrics.watchExecutionTimes("m", "3", () -> times);
    assertThat(text().lines().filter(line -> line.startsWith("meridian_execution_seconds{")))
        .containsExactly(
            "meridian_execution_seconds{model=\"m\",quantile=\"0.5\",rows=\"1\",version=\"3\"}"
                + " 0.005",
            "meridian_execution_seconds{model=\"m\",quantile=\"0.5\",rows=\"4\",version=\"3\"}"
                + " 0.007",
            "meridian_execution_seconds{model=\"m\",quantile=\"0.99\",rows=\"1\",version=\"3\"}"
                + " 0.01",
            "meridian_execution_seconds{model=\"m\",quantile=\"0.99\",rows=\"4\",version=\"3\"}"
                + " 0.014");
    watch.close();
    assertThat(text()).doesNotContain("meridian_execution_seconds{");
  }

  private static ExecutionTimes.Entry time(int rows, long nanos) {
    return new ExecutionTimes.Entry(List.of(), rows, nanos, 2 * nanos, 1);
  }

  @Test
  void modelState_change_showsOneState() {
    metrics.modelState("m", "1", ModelState.LOADING);
    metrics.modelState("m", "1", ModelState.READY);
    assertThat(text().lines().filter(line -> line.startsWith("meridian_model_state{")))
        .containsExactly("meridian_model_state{model=\"m\",state=\"READY\",version=\"1\"} 1.0");
  }

  @Test
  void modelGone_oneOfTwoVersions_keepsTheOther() {
    metrics.modelState("m", "1", ModelState.READY);
    metrics.modelState("m", "2", ModelState.READY);
    metrics.request("m", "1", Protocol.REST, null, MILLI);
    metrics.request("m", "2", Protocol.REST, null, MILLI);
    metrics.batch("m", 4);
    metrics.modelGone("m", "1");
    assertThat(text())
        .doesNotContain("version=\"1\"")
        .contains("version=\"2\"")
        .contains("meridian_batch_size_sum{model=\"m\"} 4.0\n");
  }

  @Test
  void modelGone_lastVersion_leavesNoSeries() {
    metrics.modelState("m", "1", ModelState.READY);
    metrics.modelLoaded("m", "1", 2_000_000_000);
    metrics.request("m", "1", Protocol.REST, null, MILLI);
    metrics.rejected("m", ErrorCode.OVERLOADED);
    metrics.batch("m", 4);
    assertThat(text()).contains("meridian_model_load_seconds_sum{model=\"m\"} 2.0\n");
    metrics.modelGone("m", "1");
    assertThat(text()).doesNotContain("model=\"m\"");
  }

  @Test
  void watchQueue_twoOfOneModel_addUpUntilClosed() {
    Metrics.Watch first = metrics.watch(Watched.QUEUE_DEPTH, "m", () -> 3);
    Metrics.Watch second = metrics.watch(Watched.QUEUE_DEPTH, "m", () -> 4);
    assertThat(text()).contains("meridian_queue_depth{model=\"m\"} 7.0\n");
    first.close();
    assertThat(text()).contains("meridian_queue_depth{model=\"m\"} 4.0\n");
    second.close();
    assertThat(text()).doesNotContain("meridian_queue_depth{");
  }

  @Test
  void watches_lanesAndMemory_areShown() {
    try (Metrics.Watch _ = metrics.watch(Watched.LANES_BUSY, "", () -> 2);
        Metrics.Watch _ = metrics.watch(Watched.NATIVE_MEMORY_BYTES, "netty", () -> 4096)) {
      assertThat(text())
          .contains("meridian_lanes_busy 2.0\n")
          .contains("meridian_native_memory_bytes{area=\"netty\"} 4096.0\n");
    }
  }

  @Test
  void expose_protobufAsked_givesNativeHistograms() {
    metrics.modelState("m", "1", ModelState.READY);
    metrics.request("m", "1", Protocol.REST, null, MILLI);
    Metrics.Exposition exposition =
        metrics.expose(
            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                + "encoding=delimited");
    assertThat(exposition.contentType()).startsWith("application/vnd.google.protobuf");
    assertThat(new String(exposition.body(), StandardCharsets.ISO_8859_1))
        .contains("meridian_request_seconds");
  }

  @Test
  void expose_jvm_isThere() {
    assertThat(text()).contains("jvm_memory_used_bytes");
  }

  private String text() {
    return new String(metrics.expose(null).body(), StandardCharsets.UTF_8);
  }
}
