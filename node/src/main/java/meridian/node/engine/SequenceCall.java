package meridian.node.engine;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import meridian.batching.WorkResult;
import meridian.core.error.ErrorCode;
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
    switch (SequenceRequest.of(call.request())) {
      case Outcome.Ok<SequenceRequest>(SequenceRequest asked) -> enter(asked);
      case Outcome.Failed<SequenceRequest>(Problem problem) -> answer.complete(call.fail(problem));
    }
    return answer;
  }

  private void enter(SequenceRequest asked) {
    Consumer<Turn> request = turn -> take(asked, turn);
    Problem problem = sequences.enter(asked.id(), asked.start(), request);
    if (problem != null) {
      answer.complete(call.fail(problem));
      return;
    }
    call.request()
        .cancellation()
        .onCancel(
            () -> {
              if (sequences.leave(asked.id(), request)) {
                answer.complete(call.fail(cancelled()));
              }
            });
  }

  private void take(SequenceRequest asked, Turn turn) {
    try {
      Problem problem = asked.start() ? turn.reserve(model.stateBytes(rows)) : misfit(asked, turn);
      if (problem == null) {
        execute(asked, turn);
      } else {
        turn.end(turn.state(), () -> answer.complete(call.fail(problem)));
      }
    } catch (RuntimeException | Error e) {
      giveUp(turn, e);
    }
  }

  private @Nullable Problem misfit(SequenceRequest asked, Turn turn) {
    List<NamedTensor> state = turn.state();
    if (state == null) {
      return Sequences.unknown(asked.id());
    }
    long begun = state.getFirst().tensor().shape().dim(0);
    return begun == rows
        ? null
        : Problem.invalid("inputs", rows + " rows", begun + ", as the sequence began with");
  }

  private void execute(SequenceRequest asked, Turn turn) {
    List<NamedTensor> inputs = new ArrayList<>(call.request().inputs());
    inputs.addAll(asked.start() ? model.zeros(rows) : requireNonNull(turn.state()));
    new Submission(call, inputs, rows, model.withStates(call.wanted()))
        .submit(call.request().cancellation())
        .whenComplete((result, bug) -> finish(asked, turn, result, bug));
  }

  private void finish(
      SequenceRequest asked, Turn turn, @Nullable WorkResult result, @Nullable Throwable bug) {
    switch (result) {
      case null -> giveUp(turn, requireNonNull(bug));
      case WorkResult.Done(List<NamedTensor> outputs, LatencyBreakdown latency, int _) ->
          goOn(asked, turn, outputs, latency);
      case WorkResult.Refused(Problem problem, LatencyBreakdown latency) ->
          turn.end(turn.state(), () -> answer.complete(call.fail(problem, latency)));
    }
  }

  private void goOn(
      SequenceRequest asked, Turn turn, List<NamedTensor> outputs, LatencyBreakdown latency) {
    long sinceNanos = call.nanos();
    Problem misshapen = model.misshapen(outputs, rows);
    if (misshapen != null) {
      turn.end(turn.state(), () -> answer.complete(call.fail(misshapen, latency)));
      return;
    }
    List<NamedTensor> next;
    InferResult result;
    try {
      next = asked.end() ? null : model.next(outputs);
      result = call.succeed(latency, rows, outputs, Parameters.NONE, 0, sinceNanos);
    } catch (RuntimeException | Error e) {
      giveUp(turn, e);
      return;
    }
    turn.end(next, () -> answer.complete(result));
  }

  private void giveUp(Turn turn, Throwable bug) {
    turn.end(turn.state(), () -> answer.completeExceptionally(call.abandon(bug)));
  }

  private Problem cancelled() {
    return call.request().deadline().isPast(call.nanos())
        ? Problem.of(
            ErrorCode.DEADLINE_EXCEEDED,
            "deadline: passed while others of the sequence ran (expected: in the future)")
        : Problem.of(
            ErrorCode.CANCELLED,
            "request: cancelled before it ran (expected: a caller that waits)");
  }
}
