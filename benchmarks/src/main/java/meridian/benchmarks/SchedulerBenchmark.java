package meridian.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import meridian.batching.Batch;
import meridian.batching.QueueSettings;
import meridian.batching.Scheduler;
import meridian.batching.Ticket;
import meridian.batching.Work;
import meridian.batching.WorkQueue;
import meridian.batching.WorkResult;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the scheduler costs per request with 10,000 waiting: four models, eight buckets each, three
 * priorities, two of three requests with a deadline. Each measured step leaves as many waiting as
 * it found.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SchedulerBenchmark {

  private static final int WAITING = 10_000;
  private static final int BATCH = 8;
  private static final int WORKS = 1 << 14;
  private static final Consumer<WorkResult> NOBODY = _ -> {};

  private final Random random = new Random(1);
  private final List<Work> works = new ArrayList<>();
  private final List<Ticket> cancellable = new ArrayList<>();
  private Scheduler scheduler = new Scheduler(_ -> {});
  private List<WorkQueue> queues = List.of();
  private int next;
  private long nowNanos;

  @Setup
  public void fill() {
    scheduler = new Scheduler(_ -> {});
    queues = List.of(open(true), open(true), open(false), open(false));
    for (int i = 0; i < WORKS; i++) {
      works.add(work());
    }
    for (int i = 0; i < WAITING; i++) {
      cancellable.add(offer());
    }
  }

  /** Eight offered, then batches taken until as many have left. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public @Nullable Batch offerAndTake() {
    for (int i = 0; i < BATCH; i++) {
      offer();
    }
    Batch batch = null;
    while (scheduler.accounting().queued() > WAITING) {
      batch = scheduler.take(nowNanos);
    }
    return batch;
  }

  @Benchmark
  public boolean offerAndCancel() {
    int index = next % WAITING;
    Ticket old = cancellable.set(index, offer());
    return scheduler.cancel(old);
  }

  private Ticket offer() {
    nowNanos += 1_000;
    next++;
    WorkQueue queue = queues.get(next & 3);
    Ticket ticket = Ticket.of(queue, works.get(next & (WORKS - 1)), nowNanos, NOBODY);
    if (scheduler.offer(ticket, false, nowNanos) != null) {
      throw new IllegalStateException("offer: refused (expected: accepted)");
    }
    return ticket;
  }

  private WorkQueue open(boolean mixing) {
    QueueSettings settings = new QueueSettings("m", BATCH, mixing, 1L << 30, 1L << 40, 2);
    return scheduler.open(settings, (_, _) -> List.of(), (_, _, _, _) -> {});
  }

  private Work work() {
    int width = 16 * (1 + random.nextInt(8));
    Tensor tokens = Tensor.ofLongs(Shape.of(1, width), new long[width]);
    Deadline deadline =
        random.nextInt(3) == 0
            ? Deadline.NONE
            : Deadline.at(TimeUnit.HOURS.toNanos(24) + random.nextInt(1_000_000_000));
    return new Work(
        List.of(new NamedTensor("input_ids", tokens), new NamedTensor("attention_mask", tokens)),
        1,
        Set.of("last_hidden_state"),
        deadline,
        random.nextInt(4),
        new Cancellation());
  }
}
