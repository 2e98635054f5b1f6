package meridian.serving.telemetry;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.URI;
import meridian.core.error.ErrorCode;
import meridian.core.latency.LatencyBreakdown;
import org.jspecify.annotations.Nullable;

/** Makes a span of each request, below the one that its {@code traceparent} names. */
public interface Tracing extends AutoCloseable {

  /** Makes none. */
  Tracing OFF =
      new Tracing() {
        @Override
        public RequestSpan start(ServiceRequestContext context, String model) {
          return RequestSpan.NONE;
        }

        @Override
        public void close() {}
      };

  /**
   * Sends spans by OTLP over HTTP.
   *
   * @param sampledShare of the requests without a parent; those with one follow it
   */
  static Tracing otlp(URI endpoint, double sampledShare, String serviceName) {
    return OpenTelemetryTracing.otlp(endpoint, sampledShare, serviceName);
  }

  /** Starts at the time when the request's headers came. */
  RequestSpan start(ServiceRequestContext context, String model);

  /** Sends what is left. */
  @Override
  void close();

  /** The span of one request. */
  interface RequestSpan {

    RequestSpan NONE = (version, code, latency) -> {};

    /**
     * Ends the span, with one child for each stage in their order.
     *
     * @param code null for a success
     */
    void end(@Nullable String version, @Nullable ErrorCode code, LatencyBreakdown latency);
  }
}
