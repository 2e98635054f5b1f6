package meridian.batching;

import java.util.List;
import java.util.function.Consumer;
import meridian.core.error.Problem;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way from the offer to its answer. At any moment exactly one party holds it:
 * the scheduler, a lane, or whoever took it out.
 */
public final class Ticket {

  private final WorkQueue queue;
  private final Work work;
  private final List<NamedTensor> inputs;
  private final Bucket bucket;
  private final long bytes;
  private final long offeredNanos;
  private final int level;
  private final long dueNanos;
  private final Consumer<WorkResult> answer;
  private boolean started;
  private boolean ended;

  /** Kept by the scheduler. */
  long sequence;

  @Nullable BucketQueue line;
  int placeInLine = Heap.ABSENT;
  int placeByDeadline = Heap.ABSENT;

  private Ticket(
      WorkQueue queue,
      Work work,
      List<NamedTensor> inputs,
      Bucket bucket,
      long nowNanos,
      Consumer<WorkResult> answer) {
    this.queue = queue;
    this.work = work;
    this.inputs = inputs;
    this.bucket = bucket;
    this.bytes = work.bytes();
    this.offeredNanos = nowNanos;
    this.level = work.priority() == 0 ? queue.settings().defaultPriority() : work.priority();
    this.dueNanos =
        work.deadline().bounded()
            ? work.deadline().atNanos()
            : nowNanos + Scheduler.PATIENCE.toNanos();
    this.answer = answer;
  }

  /**
   * @param answer called exactly once
   * @throws IllegalArgumentException if the queue mixes requests and an input has other rows than
   *     the work says
   */
  public static Ticket of(WorkQueue queue, Work work, long nowNanos, Consumer<WorkResult> answer) {
    if (!queue.settings().mixing()) {
      return new Ticket(queue, work, work.inputs(), Bucket.NONE, nowNanos, answer);
    }
    requireRows(work);
    List<NamedTensor> inputs = Bucket.ordered(work.inputs());
    return new Ticket(queue, work, inputs, Bucket.of(inputs), nowNanos, answer);
  }

  private static void requireRows(Work work) {
    for (NamedTensor input : work.inputs()) {
      if (input.tensor().shape().rank() == 0 || input.tensor().shape().dim(0) != work.rows()) {
        throw new IllegalArgumentException(
            "inputs[\"%s\"].shape: %s (expected: %d rows)"
                .formatted(input.name(), input.tensor().shape(), work.rows()));
      }
    }
  }

  public WorkQueue queue() {
    return queue;
  }

  public Work work() {
    return work;
  }

  /** As the model is to get them; tickets of one bucket list them in one order. */
  List<NamedTensor> inputs() {
    return inputs;
  }

  Bucket bucket() {
    return bucket;
  }

  long bytes() {
    return bytes;
  }

  /** What a queue and a batch count: rows, and one for a request that has none. */
  int slots() {
    return Math.max(1, work.rows());
  }

  long waitedNanos(long nowNanos) {
    return Math.max(0, nowNanos - offeredNanos);
  }

  /**
   * Priority, then deadline, then arrival. A request without a deadline counts as due {@link
   * Scheduler#PATIENCE} after its arrival, so that those with one cannot hold it back for ever.
   */
  boolean isBefore(Ticket other) {
    return level != other.level ? level < other.level : isDueBefore(other);
  }

  boolean isDueBefore(Ticket other) {
    long difference = dueNanos - other.dueNanos;
    return difference != 0 ? difference < 0 : sequence < other.sequence;
  }

  void refuse(Problem problem, long nowNanos) {
    end(new WorkResult.Refused(problem, new LatencyBreakdown(0, 0, waitedNanos(nowNanos), 0, 0)));
  }

  /** Notes that a run with it begins. */
  void start() {
    started = true;
  }

  boolean hasStarted() {
    return started;
  }

  boolean isEnded() {
    return ended;
  }

  /** Gives the answer, unless one was given. */
  void end(WorkResult result) {
    if (!ended) {
      ended = true;
      answer.accept(result);
    }
  }
}
