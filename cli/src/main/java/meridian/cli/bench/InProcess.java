package meridian.cli.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.NanoClock;

/**
 * The limit a server is held against: the same model run on the calling thread, nothing between.
 * The model must have been loaded to run on the calling thread alone, for its time to be known.
 */
public final class InProcess implements InferenceService {

  private final LoadedModel model;
  private final Set<String> outputs;
  private final NanoClock clock;
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final LongAdder cpuNanos = new LongAdder();

  public InProcess(LoadedModel model, NanoClock clock) {
    this.model = model;
    this.clock = clock;
    this.outputs =
        model.signature().outputs().stream().map(TensorSpec::name).collect(Collectors.toSet());
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    long started = clock.nanos();
    long cpuStarted = threads.getCurrentThreadCpuTime();
    try {
      List<NamedTensor> result = model.run(request.inputs(), outputs);
      LatencyBreakdown latency = LatencyBreakdown.of(Stage.MODEL, clock.nanos() - started);
      return CompletableFuture.completedStage(
          new InferResponse(request.model(), "", "", Parameters.NONE, result, latency));
    } catch (ExecutionException failed) {
      return CompletableFuture.completedStage(
          InferFailure.of(Problem.of(ErrorCode.INTERNAL, String.valueOf(failed.getMessage()))));
    } finally {
      cpuNanos.add(threads.getCurrentThreadCpuTime() - cpuStarted);
    }
  }

  /** Processor time that the runs took so far, in nanoseconds, on the threads that called. */
  public long cpuNanos() {
    return cpuNanos.sum();
  }
}
