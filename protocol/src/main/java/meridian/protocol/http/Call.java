package meridian.protocol.http;

import meridian.core.infer.Cancellation;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * What a request says outside its body.
 *
 * @param version null for the one that serves by default
 * @param deadline from headers; the body's {@code timeout} may set an earlier one
 * @param nowNanos when the request arrived, from which {@code timeout} counts
 * @param tenant on whose behalf; empty for nobody's
 */
public record Call(
    String model,
    @Nullable String version,
    Deadline deadline,
    Cancellation cancellation,
    long nowNanos,
    String tenant) {}
