package meridian.node.engine;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import meridian.batching.WorkResult;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import meridian.node.sequence.SequenceRequest;
import meridian.node.sequence.Sequences;
import meridian.node.sequence.Sequences.Turn;
import meridian.node.sequence.Sequencing;
import meridian.node.sequence.StatefulModel;
import org.jspecify.annotations.Nullable;

/**
 * A request that goes on where the one before it in its sequence has ended: one execution, with the
 * sequence's state in and the next state out. When it fails the state stays as it was.
 */
final class SequenceCall {

  private final Call call;
  private final StatefulModel model;
  private final Sequences sequences;
  private final int rows;
  private final CompletableFuture<InferResult> answer = new CompletableFuture<>();

  SequenceCall(Call call, Sequencing sequencing) {
    this.call = call;
    this.model = sequencing.model();
    this.sequences = sequencing.sequences();
    this.rows =
        Math.toIntExact(
            RequestCheck.rows(call.version().facts().signature(), call.request().inputs()));
  }

  CompletionStage<InferResult> start() {
    switch (SequenceRequest.of(call.request().parameters())) {
      case Outcome.Ok<SequenceRequest>(SequenceRequest asked) -> enter(asked);
      case Outcome.Failed<SequenceRequest>(Problem problem) -> answer.complete(call.fail(problem));
    }
    return answer;
  }

  private void enter(SequenceRequest asked) {
    Problem problem = sequences.enter(asked.id(), asked.start(), turn -> take(asked, turn));
    if (problem != null) {
      answer.complete(call.fail(problem));
    }
  }

  private void take(SequenceRequest asked, Turn turn) {
    List<NamedTensor> state = asked.start() ? model.zeros(rows) : turn.state();
    Problem problem = state == null ? Sequences.unknown(asked.id()) : rowsProblem(state);
    if (state == null || problem != null) {
      turn.end(turn.state());
      answer.complete(call.fail(requireNonNull(problem)));
      return;
    }
    List<NamedTensor> inputs = new ArrayList<>(call.request().inputs());
    inputs.addAll(state);
    new Submission(call, inputs, rows, model.withStates(call.wanted()))
        .submit(call.request().cancellation())
        .whenComplete((result, bug) -> finish(asked, turn, result, bug));
  }

  private @Nullable Problem rowsProblem(List<NamedTensor> state) {
    long begun = state.getFirst().tensor().shape().dim(0);
    return begun == rows
        ? null
        : Problem.invalid("inputs", rows + " rows", begun + ", as the sequence began with");
  }

  private void finish(
      SequenceRequest asked, Turn turn, @Nullable WorkResult result, @Nullable Throwable bug) {
    if (result == null) {
      turn.end(turn.state());
      answer.completeExceptionally(call.abandon(requireNonNull(bug)));
      return;
    }
    switch (result) {
      case WorkResult.Done(List<NamedTensor> outputs, LatencyBreakdown latency, int _) -> {
        long sinceNanos = call.nanos();
        turn.end(asked.end() ? null : model.next(outputs));
        answer.complete(call.succeed(latency, rows, outputs, Parameters.NONE, 0, sinceNanos));
      }
      case WorkResult.Refused(Problem problem, LatencyBreakdown latency) -> {
        turn.end(turn.state());
        answer.complete(call.fail(problem, latency));
      }
    }
  }
}
