package meridian.node.engine;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import meridian.batching.Work;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import meridian.node.version.Lease;
import meridian.node.version.ServedVersion;

/** A request on the version it has a lease on. Ends once, by one of three calls. */
final class Call {

  private final InferRequest request;
  private final Lease lease;
  private final long startNanos;
  private final NanoClock clock;
  private final InstantSource wall;

  Call(InferRequest request, Lease lease, long startNanos, NanoClock clock, InstantSource wall) {
    this.request = request;
    this.lease = lease;
    this.startNanos = startNanos;
    this.clock = clock;
    this.wall = wall;
  }

  InferRequest request() {
    return request;
  }

  ServedVersion version() {
    return lease.version();
  }

  long nanos() {
    return clock.nanos();
  }

  /** One execution of the graph on behalf of the request. */
  Work work(List<NamedTensor> inputs, int rows, Set<String> outputs, Cancellation cancellation) {
    return new Work(
        inputs, rows, outputs, deadline(), request.priority(), cancellation, request.tenant());
  }

  /** The names of the outputs that the request wants. */
  Set<String> wanted() {
    List<RequestedOutput> outputs = request.outputs();
    return switch (outputs.size()) {
      case 0 -> version().outputNames();
      case 1 -> Set.of(outputs.getFirst().name());
      default ->
          outputs.stream().map(RequestedOutput::name).collect(Collectors.toUnmodifiableSet());
    };
  }

  /**
   * Answers.
   *
   * @param work queue and model time
   * @param outputs at least those wanted, in any order
   * @param inputNanos spent on the inputs, and {@code sinceNanos} when work on the outputs began
   */
  InferResult succeed(
      LatencyBreakdown work,
      int rows,
      List<NamedTensor> outputs,
      Parameters notes,
      long inputNanos,
      long sinceNanos) {
    List<NamedTensor> answer = answer(outputs);
    long nowNanos = clock.nanos();
    long outputNanos = nowNanos - sinceNanos;
    version()
        .counters()
        .succeeded(rows, nowNanos - startNanos, work, inputNanos, outputNanos, wall.millis());
    lease.close();
    return new InferResponse(
        request.model(),
        version().number(),
        request.id(),
        notes,
        answer,
        work.plus(Stage.DATA, inputNanos + outputNanos));
  }

  InferResult fail(Problem problem) {
    return fail(problem, LatencyBreakdown.ZERO);
  }

  InferResult fail(Problem problem, LatencyBreakdown latency) {
    version().counters().failed(clock.nanos() - startNanos);
    lease.close();
    return new InferFailure(problem, latency);
  }

  /** Gives up because of a bug. */
  <T extends Throwable> T abandon(T bug) {
    version().counters().failed(clock.nanos() - startNanos);
    lease.close();
    return bug;
  }

  private Deadline deadline() {
    long timeoutNanos = version().facts().defaultTimeoutNanos();
    return request.deadline().bounded() || timeoutNanos == 0
        ? request.deadline()
        : Deadline.after(startNanos, timeoutNanos);
  }

  private List<NamedTensor> answer(List<NamedTensor> outputs) {
    if (request.outputs().isEmpty()) {
      return inSignatureOrder(outputs);
    }
    List<NamedTensor> answer = new ArrayList<>(request.outputs().size());
    for (RequestedOutput wanted : request.outputs()) {
      NamedTensor output = find(outputs, wanted.name());
      answer.add(
          wanted.classes() == 0
              ? output
              : Classification.of(
                  output,
                  wanted.classes(),
                  version().facts().signature().batched(),
                  version().facts().labels()));
    }
    return answer;
  }

  private List<NamedTensor> inSignatureOrder(List<NamedTensor> outputs) {
    List<TensorSpec> specs = version().facts().signature().outputs();
    List<NamedTensor> answer = new ArrayList<>(specs.size());
    for (TensorSpec spec : specs) {
      answer.add(find(outputs, spec.name()));
    }
    return answer;
  }

  private static NamedTensor find(List<NamedTensor> outputs, String name) {
    for (NamedTensor output : outputs) {
      if (output.name().equals(name)) {
        return output;
      }
    }
    throw new IllegalStateException("outputs: no \"" + name + "\" (expected: all that were asked)");
  }
}
