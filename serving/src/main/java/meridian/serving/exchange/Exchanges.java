package meridian.serving.exchange;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferenceService;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelName;
import meridian.core.model.ModelVersion;
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
    ModelCatalog catalog,
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

  /**
   * What is told to who asks for a model in a request that cannot be read: that there is no such
   * model, where that is so, and only otherwise what is wrong with the rest.
   */
  Problem unread(Arrival arrival, Problem problem) {
    boolean named =
        ModelName.isValid(arrival.model())
            && (arrival.version() == null || ModelVersion.parse(arrival.version()).isPresent());
    return named
            && catalog.describe(arrival.model(), arrival.version())
                instanceof Outcome.Failed<ModelDescription>(Problem unknown)
            && unknown.code() == ErrorCode.NOT_FOUND
        ? unknown
        : problem;
  }

  /** Has a worker run the task; false when too many wait already. */
  public boolean offload(Runnable task) {
    try {
      workers.execute(task);
      return true;
    } catch (RejectedExecutionException _) {
      return false;
    }
  }

  public Problem overload() {
    return Problem.retryLater(
        ErrorCode.OVERLOADED, "server: too many bodies to read (expected: fewer)", retryAfter);
  }

  Problem refusal() {
    return Problem.retryLater(
        ErrorCode.UNAVAILABLE, "server: shutting down (expected: another one)", retryAfter);
  }
}
