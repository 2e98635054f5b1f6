package meridian.benchmarks;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import meridian.batching.BatchRunner;
import meridian.batching.Bucket;
import meridian.batching.Lanes;
import meridian.batching.LatencyTable;
import meridian.batching.ModelQueue;
import meridian.batching.Padding;
import meridian.batching.QueueSettings;
import meridian.batching.Work;
import meridian.batching.WorkResult;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One request at a time through idle lanes, there and back, with a model that does nothing: run
 * where it was submitted, or handed to a lane's thread and awaited.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HandOverBenchmark {

  private static final List<NamedTensor> ROW =
      List.of(new NamedTensor("x", Tensor.ofFloats(Shape.of(1, 1), 1)));
  private static final BatchRunner NOTHING = (inputs, _, _) -> inputs;

  /** Whether the queue may run brief executions on the thread that submits them. */
  @Param({"true", "false"})
  public boolean here;

  private @Nullable Lanes lanes;
  private @Nullable ModelQueue queue;

  @Setup(Level.Trial)
  public void start() {
    LatencyTable table = new LatencyTable();
    table.record(Bucket.of(ROW), 1, 1_000);
    QueueSettings settings =
        new QueueSettings("m", 8, true, here, Padding.NONE, 100, 1 << 20, Long.MAX_VALUE, 5);
    lanes = Lanes.start(2, NanoClock.SYSTEM, Thread.ofPlatform().daemon().factory());
    queue = lanes.open(settings, table, NOTHING, (_, _, _, _) -> {});
  }

  @TearDown(Level.Trial)
  public void stop() {
    if (lanes != null) {
      lanes.close();
    }
  }

  @Benchmark
  public @Nullable WorkResult thereAndBack() {
    Work work = new Work(ROW, 1, Set.of("x"), Deadline.NONE, 0, new Cancellation());
    return queue == null ? null : queue.submit(work).toCompletableFuture().join();
  }
}
