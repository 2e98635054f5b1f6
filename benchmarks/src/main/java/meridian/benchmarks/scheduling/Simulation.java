package meridian.benchmarks.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** One policy under one sequence of arrivals, in virtual time. */
final class Simulation {

  private final Policy policy;
  private final Service service;
  private final Random noise = new Random(11);
  private final List<List<Policy.Request>> running = new ArrayList<>();
  private final long[] endNanos;
  private final long[] startNanos;
  private final List<Long> answeredNanos = new ArrayList<>();
  private long inTime;
  private long batches;

  Simulation(int lanes, Policy policy, Service service) {
    this.policy = policy;
    this.service = service;
    this.endNanos = new long[lanes];
    this.startNanos = new long[lanes];
    running.addAll(Collections.nCopies(lanes, List.of()));
    Arrays.fill(endNanos, Long.MAX_VALUE);
  }

  /**
   * @param arrivals in order
   * @param deadlineNanos from its arrival to the last use of an answer
   */
  Result run(long[] arrivals, long deadlineNanos) {
    for (long atNanos : arrivals) {
      runUntil(atNanos);
      policy.arrive(new Policy.Request(atNanos, atNanos + deadlineNanos), isFree(), atNanos);
      fill(atNanos);
    }
    runUntil(Long.MAX_VALUE - 1);
    return result(arrivals);
  }

  private void runUntil(long untilNanos) {
    for (long next = nextNanos(); next <= untilNanos; next = nextNanos()) {
      for (int lane = 0; lane < endNanos.length; lane++) {
        if (endNanos[lane] == next) {
          end(lane);
        }
      }
      fill(next);
    }
  }

  /** The next end of a run, or the next instant at which a free lane wants to be asked. */
  private long nextNanos() {
    long next = isFree() ? policy.askAgainNanos() : Long.MAX_VALUE;
    for (long end : endNanos) {
      next = Math.min(next, end);
    }
    return next;
  }

  private void fill(long nowNanos) {
    for (int lane = 0; lane < endNanos.length; lane++) {
      if (running.get(lane).isEmpty()) {
        begin(lane, policy.take(lane, nowNanos), nowNanos);
      }
    }
  }

  private void begin(int lane, List<Policy.Request> batch, long nowNanos) {
    running.set(lane, batch);
    startNanos[lane] = nowNanos;
    endNanos[lane] =
        batch.isEmpty() ? Long.MAX_VALUE : nowNanos + service.noisyNanos(batch.size(), noise);
  }

  private void end(int lane) {
    List<Policy.Request> batch = running.get(lane);
    policy.executed(batch.size(), endNanos[lane] - startNanos[lane]);
    batches++;
    for (Policy.Request request : batch) {
      answeredNanos.add(endNanos[lane] - request.atNanos());
      inTime += endNanos[lane] <= request.dueNanos() ? 1 : 0;
    }
    running.set(lane, List.of());
    endNanos[lane] = Long.MAX_VALUE;
  }

  private boolean isFree() {
    return running.stream().anyMatch(List::isEmpty);
  }

  private Result result(long[] arrivals) {
    Collections.sort(answeredNanos);
    double seconds = (arrivals[arrivals.length - 1] - arrivals[0]) / 1e9;
    return new Result(
        inTime / seconds,
        quantileMillis(0.5),
        quantileMillis(0.99),
        1 - answeredNanos.size() / (double) arrivals.length,
        answeredNanos.size() / (double) Math.max(1, batches));
  }

  private double quantileMillis(double share) {
    int size = answeredNanos.size();
    return size == 0 ? 0 : answeredNanos.get((int) (share * (size - 1))) / 1e6;
  }

  /**
   * An execution of n rows takes {@code baseMillis + n · perRowMillis}, times a log-normal factor.
   */
  record Service(double baseMillis, double perRowMillis, double sigma) {

    long nanos(int rows) {
      return (long) ((baseMillis + rows * perRowMillis) * 1e6);
    }

    long noisyNanos(int rows, Random noise) {
      return (long) (nanos(rows) * Math.exp(sigma * noise.nextGaussian()));
    }
  }

  /**
   * @param goodput answers in time per second
   * @param refused share of the requests that got no answer
   */
  record Result(
      double goodput, double p50Millis, double p99Millis, double refused, double meanBatch) {}
}
