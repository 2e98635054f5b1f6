package meridian.serving.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.latency.LatencyBreakdown;
import org.junit.jupiter.api.Test;

class TracingTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final LatencyBreakdown LATENCY =
      new LatencyBreakdown(1_000_000, 2_000_000, 0, 4_000_000, 8_000_000);

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();

  private Tracing tracing(double share) {
    return OpenTelemetryTracing.of(SimpleSpanProcessor.create(exporter), share, "meridian");
  }

  private static ServiceRequestContext context(String traceparent) {
    return ServiceRequestContext.of(
        HttpRequest.of(
            RequestHeaders.of(HttpMethod.POST, "/v2/models/m/infer", "traceparent", traceparent)));
  }

  @Test
  void end_sampledParent_givesSpanAndOneChildPerStage() {
    List<SpanData> spans;
    try (Tracing tracing = tracing(0)) {
      tracing.start(context("00-" + TRACE + "-" + PARENT + "-01"), "m").end("3", null, LATENCY);
      spans = exporter.getFinishedSpanItems();
    }
    SpanData request = spans.getLast();
    assertThat(request.getName()).isEqualTo("infer m");
    assertThat(request.getTraceId()).isEqualTo(TRACE);
    assertThat(request.getParentSpanId()).isEqualTo(PARENT);
    assertThat(request.getEndEpochNanos() - request.getStartEpochNanos()).isEqualTo(15_000_000);
    assertThat(request.getAttributes().asMap().toString()).contains("meridian.model.version=3");
    List<SpanData> stages = spans.subList(0, spans.size() - 1);
    assertThat(stages)
        .extracting(SpanData::getName)
        .containsExactly("network", "data", "model", "service");
    assertThat(stages).allMatch(stage -> stage.getParentSpanId().equals(request.getSpanId()));
    assertThat(stages.getFirst().getStartEpochNanos()).isEqualTo(request.getStartEpochNanos());
    for (int i = 1; i < stages.size(); i++) {
      assertThat(stages.get(i).getStartEpochNanos())
          .isEqualTo(stages.get(i - 1).getEndEpochNanos());
    }
    assertThat(stages.getLast().getEndEpochNanos()).isEqualTo(request.getEndEpochNanos());
  }

  @Test
  void end_parentNotSampled_givesNothing() {
    try (Tracing tracing = tracing(1)) {
      tracing.start(context("00-" + TRACE + "-" + PARENT + "-00"), "m").end("3", null, LATENCY);
      assertThat(exporter.getFinishedSpanItems()).isEmpty();
    }
  }

  @Test
  void end_failure_isAnError() {
    SpanData request;
    try (Tracing tracing = tracing(1)) {
      tracing.start(context("nonsense"), "m").end(null, ErrorCode.OVERLOADED, LATENCY);
      request = exporter.getFinishedSpanItems().getLast();
    }
    assertThat(request.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(request.getAttributes().asMap().toString()).contains("meridian.code=overloaded");
    assertThat(request.getParentSpanContext().isValid()).isFalse();
  }
}
