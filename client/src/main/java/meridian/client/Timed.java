package meridian.client;

import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import meridian.protocol.ServerTiming;
import org.jspecify.annotations.Nullable;

/** Joins what the server says of its time with what the client measured. */
final class Timed {

  private Timed() {}

  /**
   * @param serverTiming the server's header; null when it sends none
   * @param totalNanos from sending to the last byte of the answer
   * @return the server's stages, and as network all time that the server did not account for
   */
  static LatencyBreakdown breakdown(@Nullable String serverTiming, long totalNanos) {
    LatencyBreakdown server =
        serverTiming == null
            ? LatencyBreakdown.ZERO
            : ServerTiming.parse(serverTiming).orElse(LatencyBreakdown.ZERO);
    return server.plus(Stage.NETWORK, Math.max(0, totalNanos - server.totalNanos()));
  }
}
