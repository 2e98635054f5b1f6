package meridian.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import meridian.batching.Batch;
import meridian.batching.Bucket;
import meridian.batching.LatencyTable;
import meridian.batching.Padding;
import meridian.batching.QueueSettings;
import meridian.batching.Scheduler;
import meridian.batching.Ticket;
import meridian.batching.Work;
import meridian.batching.WorkQueue;
import meridian.batching.WorkResult;
import meridian.core.error.Problem;
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
 * priorities, two of three requests with a deadline, execution times known. Each measured step
 * leaves as many waiting as it found.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SchedulerBenchmark {

  private static final int WAITING = 10_000;
  private static final int LANES = 2;
  private static final int BATCH = 8;
  private static final int WORKS = 1 << 14;
  private static final Consumer<WorkResult> NOBODY = _ -> {};

  private final Random random = new Random(1);
  private final List<Work> works = new ArrayList<>();
  private final List<Ticket> cancellable = new ArrayList<>();
  private Scheduler scheduler = new Scheduler(LANES, _ -> {});
  private List<WorkQueue> queues = List.of();
  private final Scheduler busy = new Scheduler(LANES, _ -> {});
  private final Work due = work(Deadline.at(TimeUnit.MILLISECONDS.toNanos(50)));
  private WorkQueue queueOfBusy = open(busy, true);
  private int next;
  private long nowNanos;

  @Setup
  public void fill() {
    scheduler = new Scheduler(LANES, _ -> {});
    for (int i = 0; i < WORKS; i++) {
      works.add(work());
    }
    queues =
        List.of(
            open(scheduler, true),
            open(scheduler, true),
            open(scheduler, false),
            open(scheduler, false));
    for (int i = 0; i < WAITING; i++) {
      cancellable.add(offer());
    }
    queueOfBusy = open(busy, true);
    Problem full = null;
    while (full == null) {
      full = busy.offer(refused(), false, 0);
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
      batch = scheduler.take(0, nowNanos);
    }
    return batch;
  }

  /** The decisions alone: a ticket leaves and comes back. */
  @Benchmark
  public @Nullable Problem offerAndCancel() {
    Ticket ticket = cancellable.get(next++ % WAITING);
    scheduler.cancel(ticket, nowNanos);
    return scheduler.offer(ticket, false, nowNanos);
  }

  /** With 50 ms of work due in 50 ms, one too many. */
  @Benchmark
  public @Nullable Problem offerRefused() {
    return busy.offer(refused(), false, 0);
  }

  private Ticket refused() {
    return Ticket.of(queueOfBusy, due, 0, NOBODY);
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

  private WorkQueue open(Scheduler scheduler, boolean mixing) {
    LatencyTable table = new LatencyTable();
    List<Work> measured = new ArrayList<>(works);
    measured.add(due);
    for (Work work : measured) {
      for (int rows = 1; rows <= BATCH; rows++) {
        table.record(Bucket.of(work.inputs()), rows, 1_000_000 + 100_000L * rows);
      }
    }
    QueueSettings settings =
        new QueueSettings(
            "m", BATCH, mixing, false, Padding.NONE, 1L << 30, 1L << 40, Long.MAX_VALUE, 2);
    return scheduler.open(settings, table, (_, _, _) -> List.of(), (_, _, _, _) -> {});
  }

  private Work work() {
    return work(
        random.nextInt(3) == 0
            ? Deadline.NONE
            : Deadline.at(TimeUnit.HOURS.toNanos(24) + random.nextInt(1_000_000_000)));
  }

  private Work work(Deadline deadline) {
    int width = 16 * (1 + random.nextInt(8));
    Tensor tokens = Tensor.ofLongs(Shape.of(1, width), new long[width]);
    return new Work(
        List.of(new NamedTensor("input_ids", tokens), new NamedTensor("attention_mask", tokens)),
        1,
        Set.of("last_hidden_state"),
        deadline,
        random.nextInt(4),
        new Cancellation());
  }
}
