package meridian.serving.exchange;

import meridian.core.error.ErrorCode;
import meridian.core.latency.LatencyBreakdown;
import meridian.serving.telemetry.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * How a request went, for headers, metrics, spans and logs.
 *
 * @param version the one that answered, or was asked for; null when neither is known
 * @param code null for a success
 */
public record Report(
    String model,
    @Nullable String version,
    String id,
    Protocol protocol,
    @Nullable ErrorCode code,
    LatencyBreakdown latency) {}
