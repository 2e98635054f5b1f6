package meridian.node.engine;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import meridian.batching.WorkResult;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import org.jspecify.annotations.Nullable;

/** A request whose tensors go to the graph as they are: one execution. */
final class GraphCall {

  private final Call call;
  private final int rows;

  GraphCall(Call call) {
    this.call = call;
    this.rows =
        Math.toIntExact(
            RequestCheck.rows(call.version().facts().signature(), call.request().inputs()));
  }

  CompletionStage<InferResult> start() {
    InferRequest request = call.request();
    return new Submission(call, request.inputs(), rows, call.wanted())
        .submit(request.cancellation())
        .handle(this::finish);
  }

  private InferResult finish(@Nullable WorkResult result, @Nullable Throwable bug) {
    if (result == null) {
      throw new CompletionException(call.abandon(requireNonNull(bug)));
    }
    long sinceNanos = call.nanos();
    try {
      return switch (result) {
        case WorkResult.Done(List<NamedTensor> outputs, LatencyBreakdown latency, int _) ->
            call.succeed(latency, rows, outputs, Parameters.NONE, 0, sinceNanos);
        case WorkResult.Refused(Problem problem, LatencyBreakdown latency) ->
            call.fail(problem, latency);
      };
    } catch (RuntimeException | Error e) {
      throw new CompletionException(call.abandon(e));
    }
  }
}
