package meridian.serving.exchange;

import com.linecorp.armeria.server.ServiceRequestContext;
import meridian.core.error.Outcome;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import meridian.serving.telemetry.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A request as it stands before its body is read.
 *
 * @param version null for the one that serves by default
 * @param deadline what its headers say
 * @param startNanos when the headers were there
 * @param arrivedNanos when the last byte of the body was there
 * @param bodyBytes to read; more than they are where reading them is harder than that
 */
public record Arrival(
    ServiceRequestContext context,
    Departure departure,
    Protocol protocol,
    String model,
    @Nullable String version,
    Outcome<Deadline> deadline,
    long startNanos,
    long arrivedNanos,
    long bodyBytes) {

  /** The time since the headers of a request came, which Armeria reads off the system's clock. */
  public static long elapsedNanos(ServiceRequestContext context) {
    return Math.max(0, NanoClock.SYSTEM.nanos() - context.log().partial().requestStartTimeNanos());
  }
}
