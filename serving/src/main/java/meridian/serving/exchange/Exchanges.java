package meridian.serving.exchange;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferenceService;
import meridian.core.time.NanoClock;
import meridian.serving.telemetry.Metrics;
import meridian.serving.telemetry.Tracing;

/**
 * Opens an {@link Exchange} for every request.
 *
 * @param workers run what would hold up an event loop
 * @param loopBytes the largest body that does not
 */
public record Exchanges(
    InferenceService service,
    Lifecycle lifecycle,
    Metrics metrics,
    Tracing tracing,
    AccessLog accessLog,
    NanoClock clock,
    Executor workers,
    long loopBytes,
    Duration retryAfter) {

  /** To be called on the request's event loop. */
  public <R> void run(Arrival arrival, Transport<R> transport) {
    new Exchange<>(this, arrival, transport).start();
  }

  /** Has a worker run the task; false when too many wait already. */
  boolean offload(Runnable task) {
    try {
      workers.execute(task);
      return true;
    } catch (RejectedExecutionException _) {
      return false;
    }
  }

  Problem overload() {
    return Problem.retryLater(
        ErrorCode.OVERLOADED,
        "server: too many large bodies to read (expected: fewer)",
        retryAfter);
  }

  Problem refusal() {
    return Problem.retryLater(
        ErrorCode.UNAVAILABLE, "server: shutting down (expected: another one)", retryAfter);
  }
}
