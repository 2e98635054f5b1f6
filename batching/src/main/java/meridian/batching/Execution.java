package meridian.batching;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import meridian.core.backend.ExecutionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches on a lane, and keeps requests from paying for one another.
 *
 * <p>A batch that fails is halved until the request that fails does so alone and gets its own
 * message. When the first half of a failed batch succeeds, the fault is in the second, which is
 * halved without being run. So one poison request among n costs at most 2 log2 n further runs.
 *
 * <p>An output that has not one row for each row of a shared batch shows that the graph does not
 * compute rows independently, whatever its signature says; nobody can tell whose rows they are.
 * Nothing of it is used, its requests run one by one, and the queue never mixes again: where the
 * number of rows happened to fit, the rows could still be wrong. Alone in a queue that mixes, such
 * an output contradicts the signature that clients rely on and is an error, whatever the load. In a
 * queue that does not mix, a run's outputs are one request's own and go out as they are.
 */
final class Execution {

  private final Lanes lanes;
  private final Gather gather;

  Execution(Lanes lanes, LaneMemory memory) {
    this.lanes = lanes;
    this.gather = new Gather(memory);
  }

  /** Answers every ticket of the batch, come what may. */
  void run(Batch batch) {
    try {
      run(batch.queue(), batch.tickets());
    } finally {
      batch.tickets().forEach(this::answerIfForgotten);
    }
  }

  private void run(WorkQueue queue, List<Ticket> tickets) {
    Failure failure = attempt(queue, tickets);
    if (failure != null) {
      halve(queue, tickets, failure);
    }
  }

  private void halve(WorkQueue queue, List<Ticket> tickets, Failure failure) {
    if (tickets.size() == 1) {
      fail(tickets.getFirst(), failure);
      return;
    }
    List<Ticket> first = tickets.subList(0, tickets.size() / 2);
    List<Ticket> second = tickets.subList(tickets.size() / 2, tickets.size());
    Failure firstFailure = attempt(queue, first);
    if (firstFailure != null) {
      halve(queue, first, firstFailure);
      run(queue, second);
    } else if (second.size() == 1) {
      run(queue, second);
    } else {
      halve(queue, second, failure);
    }
  }

  /** Runs those of the tickets that still need it, as one; null when all have their answer. */
  private @Nullable Failure attempt(WorkQueue queue, List<Ticket> asked) {
    long startNanos = lanes.nanos();
    List<Ticket> tickets = withoutThoseOver(asked, startNanos);
    if (tickets.isEmpty()) {
      return null;
    }
    return switch (execute(queue, tickets)) {
      case Failure failure -> failure;
      case Executed executed -> deliver(queue, tickets, executed, startNanos);
    };
  }

  private Attempt execute(WorkQueue queue, List<Ticket> tickets) {
    Set<String> wanted = Outputs.wanted(tickets);
    long beganNanos = lanes.nanos();
    try {
      List<NamedTensor> inputs = gather.inputs(tickets);
      beganNanos = lanes.nanos();
      List<NamedTensor> outputs = queue.runner().run(inputs, wanted);
      long modelNanos = lanes.nanos() - beganNanos;
      String missing = Outputs.missing(outputs, wanted);
      return missing == null
          ? new Executed(outputs, modelNanos)
          : new Failure(missing, modelNanos, null);
    } catch (ExecutionException e) {
      return new Failure(String.valueOf(e.getMessage()), lanes.nanos() - beganNanos, null);
    } catch (Throwable e) {
      return new Failure("model: " + e, lanes.nanos() - beganNanos, e);
    }
  }

  private @Nullable Failure deliver(
      WorkQueue queue, List<Ticket> tickets, Executed executed, long startNanos) {
    int rows = rows(tickets);
    String misshapen = queue.settings().mixing() ? Outputs.misshapen(executed.outputs, rows) : null;
    if (misshapen == null) {
      answer(queue, tickets, executed, startNanos);
      return null;
    }
    if (tickets.size() == 1) {
      return new Failure(misshapen, executed.modelNanos, null);
    }
    lanes.separate(queue);
    tickets.forEach(ticket -> run(queue, List.of(ticket)));
    return null;
  }

  private void answer(WorkQueue queue, List<Ticket> tickets, Executed executed, long startNanos) {
    List<List<NamedTensor>> shares = shares(tickets, executed.outputs);
    int rows = rows(tickets);
    tell(queue.listener(), tickets, rows, executed.modelNanos, startNanos);
    for (int i = 0; i < shares.size(); i++) {
      Ticket ticket = tickets.get(i);
      LatencyBreakdown latency = latency(ticket.waitedNanos(startNanos), executed.modelNanos);
      ticket.end(new WorkResult.Done(shares.get(i), latency, rows));
    }
  }

  private static List<List<NamedTensor>> shares(List<Ticket> tickets, List<NamedTensor> outputs) {
    return tickets.size() == 1
        ? List.of(Outputs.select(outputs, tickets.getFirst().work().outputs()))
        : Outputs.split(outputs, tickets);
  }

  private void tell(
      BatchListener listener, List<Ticket> tickets, int rows, long modelNanos, long startNanos) {
    long oldestNanos = 0;
    for (Ticket ticket : tickets) {
      oldestNanos = Math.max(oldestNanos, ticket.waitedNanos(startNanos));
    }
    try {
      listener.executed(rows, tickets.size(), oldestNanos, modelNanos);
    } catch (Throwable e) {
      lanes.report(e);
    }
  }

  private List<Ticket> withoutThoseOver(List<Ticket> asked, long nowNanos) {
    List<Ticket> present = new ArrayList<>(asked.size());
    for (Ticket ticket : asked) {
      if (!ticket.isEnded() && !endIfOver(ticket, nowNanos)) {
        present.add(ticket);
      }
    }
    return present;
  }

  private boolean endIfOver(Ticket ticket, long nowNanos) {
    Tally.Event over = Scheduler.over(ticket, nowNanos);
    if (over == null) {
      ticket.start();
      return false;
    }
    if (!ticket.hasStarted()) {
      lanes.withdraw(ticket, over);
    }
    ticket.refuse(Refusals.over(ticket, over, nowNanos), nowNanos);
    return true;
  }

  private void fail(Ticket ticket, Failure failure) {
    if (failure.bug != null) {
      lanes.report(failure.bug);
    }
    long queueNanos = ticket.waitedNanos(lanes.nanos()) - failure.modelNanos;
    Problem problem = Problem.of(ErrorCode.INTERNAL, failure.message);
    LatencyBreakdown latency = latency(Math.max(0, queueNanos), failure.modelNanos);
    ticket.end(new WorkResult.Refused(problem, latency));
  }

  private void answerIfForgotten(Ticket ticket) {
    if (!ticket.isEnded()) {
      String message = "lane: failed outside the model (expected: an answer to every request)";
      ticket.refuse(Problem.of(ErrorCode.INTERNAL, message), lanes.nanos());
    }
  }

  private static LatencyBreakdown latency(long queueNanos, long modelNanos) {
    return new LatencyBreakdown(0, 0, queueNanos, modelNanos, 0);
  }

  private static int rows(List<Ticket> tickets) {
    int rows = 0;
    for (Ticket ticket : tickets) {
      rows += ticket.work().rows();
    }
    return rows;
  }

  private sealed interface Attempt {}

  private record Executed(List<NamedTensor> outputs, long modelNanos) implements Attempt {}

  /**
   * @param bug what was thrown where only ExecutionException is expected
   */
  private record Failure(String message, long modelNanos, @Nullable Throwable bug)
      implements Attempt {}
}
