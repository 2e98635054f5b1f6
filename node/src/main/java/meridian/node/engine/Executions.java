package meridian.node.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import meridian.batching.WorkResult;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the executions of one request. The first that fails has the others cancelled, so that
 * no lane works for an answer that will not be given.
 */
final class Executions {

  private final WorkResult[] results;
  private final long[] endNanos;
  private final Cancellation cancellation;
  private final long startNanos;
  private final CompletableFuture<Joined> joined = new CompletableFuture<>();
  private int open;
  private @Nullable Problem problem;

  Executions(int count, Cancellation request, long startNanos) {
    this.results = new WorkResult[count];
    this.endNanos = new long[count];
    this.open = count;
    this.startNanos = startNanos;
    this.cancellation = count > 1 ? linkedTo(request) : request;
    if (count == 0) {
      joined.complete(new Joined(List.of(), null, LatencyBreakdown.ZERO));
    }
  }

  /** What the executions are to listen to. */
  Cancellation cancellation() {
    return cancellation;
  }

  CompletionStage<Joined> joined() {
    return joined;
  }

  void completed(int index, @Nullable WorkResult result, @Nullable Throwable bug, long nowNanos) {
    if (bug != null) {
      if (results.length > 1) {
        cancellation.cancel();
      }
      joined.completeExceptionally(bug);
      return;
    }
    boolean failedFirst = record(index, Objects.requireNonNull(result), nowNanos);
    if (failedFirst && results.length > 1) {
      cancellation.cancel();
    }
    if (lastOne()) {
      joined.complete(join());
    }
  }

  private synchronized boolean record(int index, WorkResult result, long nowNanos) {
    results[index] = result;
    endNanos[index] = nowNanos;
    if (problem == null && result instanceof WorkResult.Refused(Problem refusal, _)) {
      problem = refusal;
      return true;
    }
    return false;
  }

  private synchronized boolean lastOne() {
    return --open == 0;
  }

  private synchronized Joined join() {
    LatencyBreakdown latency = results.length == 1 ? results[0].latency() : together();
    return new Joined(problem == null ? outputs() : List.of(), problem, latency);
  }

  private List<List<NamedTensor>> outputs() {
    List<List<NamedTensor>> outputs = new ArrayList<>(results.length);
    for (WorkResult result : results) {
      outputs.add(((WorkResult.Done) result).outputs());
    }
    return outputs;
  }

  /** The union of the runs' intervals is model time, the rest up to the last end queue time. */
  private LatencyBreakdown together() {
    Integer[] byEnd = new Integer[results.length];
    Arrays.setAll(byEnd, i -> i);
    Arrays.sort(byEnd, Comparator.comparingLong(i -> endNanos[i] - startNanos));
    long coveredTo = 0;
    long modelNanos = 0;
    for (int i : byEnd) {
      long end = endNanos[i] - startNanos;
      long begin = Math.max(coveredTo, end - results[i].latency().modelNanos());
      modelNanos += Math.max(0, end - begin);
      coveredTo = Math.max(coveredTo, end);
    }
    return new LatencyBreakdown(0, 0, Math.max(0, coveredTo - modelNanos), modelNanos, 0);
  }

  private static Cancellation linkedTo(Cancellation request) {
    Cancellation own = new Cancellation();
    request.onCancel(own::cancel);
    return own;
  }
}
