package meridian.protocol.grpc;

import meridian.core.infer.Cancellation;
import meridian.core.time.Deadline;

/**
 * What a call says outside its message.
 *
 * @param deadline gRPC's own; the message's {@code timeout} may set an earlier one
 * @param nowNanos when the call arrived, from which {@code timeout} counts
 * @param tenant on whose behalf; empty for nobody's
 */
public record GrpcCall(
    Deadline deadline, Cancellation cancellation, long nowNanos, String tenant) {}
