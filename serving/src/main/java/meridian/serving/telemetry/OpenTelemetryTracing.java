package meridian.serving.telemetry;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import meridian.core.error.ErrorCode;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import org.jspecify.annotations.Nullable;

/** Spans by the OpenTelemetry SDK. */
final class OpenTelemetryTracing implements Tracing {

  private static final Stage[] STAGES = Stage.values();
  private static final AttributeKey<String> MODEL = AttributeKey.stringKey("meridian.model");
  private static final AttributeKey<String> VERSION =
      AttributeKey.stringKey("meridian.model.version");
  private static final AttributeKey<String> CODE = AttributeKey.stringKey("meridian.code");
  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
  private static final long CLOSE_SECONDS = 5;

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  private OpenTelemetryTracing(SdkTracerProvider provider) {
    this.provider = provider;
    this.tracer = provider.get("meridian.serving");
  }

  static Tracing otlp(URI endpoint, double sampledShare, String serviceName) {
    return of(
        BatchSpanProcessor.builder(
                OtlpHttpSpanExporter.builder().setEndpoint(traces(endpoint).toString()).build())
            .build(),
        sampledShare,
        serviceName);
  }

  /** A collector alone means its usual path. */
  private static URI traces(URI endpoint) {
    String path = endpoint.getPath();
    return path == null || path.isEmpty() || path.equals("/")
        ? endpoint.resolve("/v1/traces")
        : endpoint;
  }

  static Tracing of(SpanProcessor processor, double sampledShare, String serviceName) {
    return new OpenTelemetryTracing(
        SdkTracerProvider.builder()
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(sampledShare)))
            .setResource(
                Resource.getDefault()
                    .merge(Resource.create(Attributes.of(SERVICE_NAME, serviceName))))
            .addSpanProcessor(processor)
            .build());
  }

  @Override
  public RequestSpan start(ServiceRequestContext context, String model) {
    long startMicros = context.log().partial().requestStartTimeMicros();
    Context parent =
        W3CTraceContextPropagator.getInstance()
            .extract(Context.root(), context.request().headers(), HeaderGetter.INSTANCE);
    Span span =
        tracer
            .spanBuilder("infer " + model)
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setStartTimestamp(startMicros, TimeUnit.MICROSECONDS)
            .setAttribute(MODEL, model)
            .startSpan();
    return span.isRecording()
        ? new Recording(span, TimeUnit.MICROSECONDS.toNanos(startMicros))
        : RequestSpan.NONE;
  }

  @Override
  public void close() {
    provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private final class Recording implements RequestSpan {
    private final Span span;
    private final long startNanos;

    Recording(Span span, long startNanos) {
      this.span = span;
      this.startNanos = startNanos;
    }

    @Override
    public void end(@Nullable String version, @Nullable ErrorCode code, LatencyBreakdown latency) {
      if (version != null) {
        span.setAttribute(VERSION, version);
      }
      if (code != null) {
        span.setAttribute(CODE, code.label());
        span.setStatus(StatusCode.ERROR);
      }
      span.end(stages(latency), TimeUnit.NANOSECONDS);
    }

    /** Lays the stages end to end, which is exact but for the order within a stage. */
    private long stages(LatencyBreakdown latency) {
      Context parent = Context.root().with(span);
      long at = startNanos;
      for (Stage stage : STAGES) {
        long until = at + latency.nanos(stage);
        if (until > at) {
          tracer
              .spanBuilder(stage.label())
              .setParent(parent)
              .setStartTimestamp(at, TimeUnit.NANOSECONDS)
              .startSpan()
              .end(until, TimeUnit.NANOSECONDS);
        }
        at = until;
      }
      return at;
    }
  }

  private enum HeaderGetter implements TextMapGetter<RequestHeaders> {
    INSTANCE;

    @Override
    public @Nullable String get(@Nullable RequestHeaders headers, String key) {
      return headers == null ? null : headers.get(key);
    }
  }
}
