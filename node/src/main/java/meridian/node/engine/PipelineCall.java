package meridian.node.engine;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferResult;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import meridian.core.tensor.NamedTensor;
import meridian.pipeline.Pipeline;
import meridian.pipeline.Prepared;
import org.jspecify.annotations.Nullable;

/** A request that a pipeline turns into executions of the graph, and their outputs into answers. */
final class PipelineCall {

  /** Up to here preparing costs about as much as handing over to another thread. */
  private static final long INLINE_BYTES = 4096;

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Call call;
  private final Pipeline pipeline;
  private final Executor preparation;
  private long inputNanos;
  private int rows;

  PipelineCall(Call call, Pipeline pipeline, Executor preparation) {
    this.call = call;
    this.pipeline = pipeline;
    this.preparation = preparation;
  }

  CompletionStage<InferResult> start() {
    if (RequestCheck.bytes(call.request().inputs()) <= INLINE_BYTES) {
      return execute();
    }
    try {
      return CompletableFuture.supplyAsync(this::executeOrAbandon, preparation)
          .thenCompose(stage -> stage);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.completedFuture(
          call.fail(
              Problem.retryLater(
                  ErrorCode.OVERLOADED,
                  "inputs: too many requests are being prepared (expected: room for one more)",
                  RETRY_AFTER)));
    }
  }

  private CompletionStage<InferResult> executeOrAbandon() {
    try {
      return execute();
    } catch (RuntimeException | Error e) {
      throw new CompletionException(call.abandon(e));
    }
  }

  private CompletionStage<InferResult> execute() {
    long startNanos = call.nanos();
    Outcome<Prepared> outcome =
        pipeline.prepare(call.request().inputs(), call.request().parameters());
    inputNanos = call.nanos() - startNanos;
    return switch (outcome) {
      case Outcome.Failed<Prepared>(Problem problem) ->
          CompletableFuture.completedFuture(
              call.fail(problem, LatencyBreakdown.of(Stage.DATA, inputNanos)));
      case Outcome.Ok<Prepared>(Prepared prepared) ->
          run(prepared.executions()).handle((joined, bug) -> finish(prepared, joined, bug));
    };
  }

  private CompletionStage<Joined> run(List<List<NamedTensor>> executions) {
    Cancellation cancellation = call.request().cancellation();
    Executions joining = new Executions(executions.size(), cancellation, call.nanos());
    for (int i = 0; i < executions.size(); i++) {
      int index = i;
      List<NamedTensor> inputs = executions.get(i);
      int executionRows = Math.toIntExact(inputs.getFirst().tensor().shape().dim(0));
      rows += executionRows;
      new Submission(call, inputs, executionRows, call.version().facts().graphOutputs())
          .submit(joining.cancellation())
          .whenComplete((result, bug) -> joining.completed(index, result, bug, call.nanos()));
    }
    return joining.joined();
  }

  private InferResult finish(Prepared prepared, @Nullable Joined joined, @Nullable Throwable bug) {
    if (joined == null) {
      throw new CompletionException(call.abandon(requireNonNull(bug)));
    }
    long sinceNanos = call.nanos();
    try {
      LatencyBreakdown latency = joined.latency();
      Problem problem = joined.problem();
      if (problem != null) {
        return call.fail(problem, latency.plus(Stage.DATA, inputNanos));
      }
      List<NamedTensor> outputs = prepared.finish(joined.outputs());
      return call.succeed(latency, rows, outputs, prepared.notes(), inputNanos, sinceNanos);
    } catch (RuntimeException | Error e) {
      throw new CompletionException(call.abandon(e));
    }
  }
}
