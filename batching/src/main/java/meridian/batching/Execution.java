package meridian.batching;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
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
 * <p>A run for which nobody waits any more is asked to stop.
 *
 * <p>An output that has not one row for each row of a shared batch, or is not as long as inputs
 * that were filled up where it should be, shows that the graph does not compute rows independently,
 * whatever its signature says; nobody can tell whose rows they are. Nothing of it is used, its
 * requests run one by one, and the queue never mixes again: where the number of rows happened to
 * fit, the rows could still be wrong. Alone in a queue that mixes, such an output contradicts the
 * signature that clients rely on and is an error, whatever the load. In a queue that does not mix,
 * a run's outputs are one request's own and go out as they are.
 */
final class Execution {

  private final Dispatch dispatch;
  private final Gather gather;
  private final Consumer<Throwable> bugs;

  /**
   * @param bugs told what a runner or listener throws against its contract
   */
  Execution(Dispatch dispatch, LaneMemory memory, Consumer<Throwable> bugs) {
    this.dispatch = dispatch;
    this.gather = new Gather(memory);
    this.bugs = bugs;
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
    long startNanos = dispatch.nanos();
    List<Ticket> tickets = withoutThoseOver(asked, startNanos);
    if (tickets.isEmpty()) {
      return null;
    }
    return switch (execute(queue, tickets)) {
      case Failure failure -> failure;
      case Unmixable _ -> separate(queue, tickets);
      case Executed executed -> answer(queue, tickets, executed, startNanos);
    };
  }

  private Attempt execute(WorkQueue queue, List<Ticket> tickets) {
    Set<String> wanted = Outputs.wanted(tickets);
    long beganNanos = dispatch.nanos();
    try {
      List<NamedTensor> inputs = gather.inputs(tickets);
      beganNanos = dispatch.nanos();
      List<NamedTensor> outputs = queue.runner().run(inputs, wanted, Waiters.of(tickets));
      long modelNanos = dispatch.nanos() - beganNanos;
      String missing = Outputs.missing(outputs, wanted);
      return missing == null
          ? share(queue, tickets, outputs, modelNanos)
          : new Failure(missing, modelNanos, null);
    } catch (ExecutionException e) {
      return new Failure(String.valueOf(e.getMessage()), dispatch.nanos() - beganNanos, null);
    } catch (Throwable e) {
      return new Failure("model: " + e, dispatch.nanos() - beganNanos, e);
    }
  }

  private static Attempt share(
      WorkQueue queue, List<Ticket> tickets, List<NamedTensor> outputs, long modelNanos) {
    boolean alone = tickets.size() == 1;
    String misshapen = queue.settings().mixing() ? misshapen(outputs, tickets) : null;
    if (misshapen != null) {
      return alone ? new Failure(misshapen, modelNanos, null) : new Unmixable();
    }
    List<List<NamedTensor>> shares =
        alone
            ? List.of(Outputs.select(outputs, tickets.getFirst().work().outputs()))
            : Outputs.split(outputs, tickets);
    return new Executed(shares, modelNanos);
  }

  private static @Nullable String misshapen(List<NamedTensor> outputs, List<Ticket> tickets) {
    String misshapen = Outputs.misshapen(outputs, rows(tickets));
    return misshapen != null || tickets.size() == 1 ? misshapen : Outputs.mislong(outputs, tickets);
  }

  private @Nullable Failure separate(WorkQueue queue, List<Ticket> tickets) {
    dispatch.separate(queue);
    tickets.forEach(ticket -> run(queue, List.of(ticket)));
    return null;
  }

  private @Nullable Failure answer(
      WorkQueue queue, List<Ticket> tickets, Executed executed, long startNanos) {
    dispatch.record(tickets.getFirst(), slots(tickets), dispatch.nanos() - startNanos);
    int rows = rows(tickets);
    tell(queue.listener(), tickets, executed.modelNanos, startNanos);
    for (int i = 0; i < tickets.size(); i++) {
      Ticket ticket = tickets.get(i);
      LatencyBreakdown latency = latency(ticket.waitedNanos(startNanos), executed.modelNanos);
      ticket.end(new WorkResult.Done(executed.shares.get(i), latency, rows));
    }
    return null;
  }

  private void tell(
      BatchListener listener, List<Ticket> tickets, long modelNanos, long startNanos) {
    long oldestNanos = 0;
    for (Ticket ticket : tickets) {
      oldestNanos = Math.max(oldestNanos, ticket.waitedNanos(startNanos));
    }
    try {
      listener.executed(rows(tickets), tickets.size(), oldestNanos, modelNanos);
    } catch (Throwable e) {
      bugs.accept(e);
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
      dispatch.withdraw(ticket, over);
    }
    ticket.refuse(Refusals.over(ticket, over, nowNanos), nowNanos);
    return true;
  }

  private void fail(Ticket ticket, Failure failure) {
    if (ticket.work().cancellation().isCancelled()) {
      ticket.refuse(Refusals.cancelled(), dispatch.nanos());
      return;
    }
    if (failure.bug != null) {
      bugs.accept(failure.bug);
    }
    long queueNanos = ticket.waitedNanos(dispatch.nanos()) - failure.modelNanos;
    Problem problem = Problem.of(ErrorCode.INTERNAL, failure.message);
    LatencyBreakdown latency = latency(Math.max(0, queueNanos), failure.modelNanos);
    ticket.end(new WorkResult.Refused(problem, latency));
  }

  private void answerIfForgotten(Ticket ticket) {
    if (!ticket.isEnded()) {
      String message = "lane: failed outside the model (expected: an answer to every request)";
      ticket.refuse(Problem.of(ErrorCode.INTERNAL, message), dispatch.nanos());
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

  private static int slots(List<Ticket> tickets) {
    int slots = 0;
    for (Ticket ticket : tickets) {
      slots += ticket.slots();
    }
    return slots;
  }

  private sealed interface Attempt {}

  /**
   * @param shares what each ticket gets
   */
  private record Executed(List<List<NamedTensor>> shares, long modelNanos) implements Attempt {}

  /** The outputs have other rows than the batch. */
  private record Unmixable() implements Attempt {}

  /**
   * @param bug what was thrown where only ExecutionException is expected
   */
  private record Failure(String message, long modelNanos, @Nullable Throwable bug)
      implements Attempt {}
}
