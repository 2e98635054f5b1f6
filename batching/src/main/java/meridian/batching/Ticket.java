package meridian.batching;

import java.time.Duration;
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

  /** To wake a lane's thread and to be woken by it takes about as long. */
  static final Duration BRIEF = Duration.ofNanos(50_000);

  private final WorkQueue queue;
  private final Work work;
  private final List<NamedTensor> inputs;
  private final int length;
  private final Bucket bucket;
  private final Bucket measuredAs;
  private final long bytes;
  private final long offeredNanos;
  private final int level;
  private final long dueNanos;
  private final Consumer<WorkResult> answer;
  private Curve curve = Curve.UNKNOWN;
  private boolean started;
  private boolean ended;

  /** Kept by the scheduler. */
  long sequence;

  long round;
  long tag;
  long aloneNanos;
  boolean beginsBatch;
  Tenants.Tenant tenant = Tenants.NOBODY;
  @Nullable BucketQueue line;
  int placeByDeadline = Heap.ABSENT;

  private Ticket(
      WorkQueue queue,
      Work work,
      List<NamedTensor> inputs,
      int length,
      Bucket bucket,
      Bucket measuredAs,
      long nowNanos,
      Consumer<WorkResult> answer) {
    this.queue = queue;
    this.work = work;
    this.inputs = inputs;
    this.length = length;
    this.bucket = bucket;
    this.measuredAs = measuredAs;
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
      Bucket own = Bucket.of(work.inputs());
      return new Ticket(
          queue, work, work.inputs(), Padding.NO_LENGTH, Bucket.NONE, own, nowNanos, answer);
    }
    requireRows(work);
    List<NamedTensor> inputs = Bucket.ordered(work.inputs());
    Padding padding = queue.settings().padding();
    int length = padding.length(inputs);
    Bucket bucket =
        length == Padding.NO_LENGTH
            ? Bucket.of(inputs)
            : Bucket.of(inputs, padding, padding.edge(length));
    return new Ticket(queue, work, inputs, length, bucket, bucket, nowNanos, answer);
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

  /** Of the inputs that may be filled up; {@link Padding#NO_LENGTH} when they may not. */
  int length() {
    return length;
  }

  Bucket bucket() {
    return bucket;
  }

  /** What its executions are measured as; requests that are never mixed differ in it. */
  Bucket measuredAs() {
    return measuredAs;
  }

  /** How long its executions take. */
  Curve curve() {
    if (!curve.known()) {
      curve = queue.table().curve(measuredAs);
    }
    return curve;
  }

  /** True when it is known to run for no longer than handing it to another thread takes. */
  boolean isBrief() {
    return queue.settings().steady()
        && curve().known()
        && curve.medianNanos(slots()) <= BRIEF.toNanos();
  }

  /** The deadline, or the instant at which a request without one has waited long enough. */
  long dueNanos() {
    return dueNanos;
  }

  boolean isLate(long nowNanos) {
    return work.deadline().remainingNanos(nowNanos) < 0;
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
   * Priority, then the tenant's turn, then deadline, then arrival. A request without a deadline
   * counts as due {@link Scheduler#PATIENCE} after its arrival, so that those with one cannot hold
   * it back for ever.
   */
  boolean isBefore(Ticket other) {
    if (level != other.level) {
      return level < other.level;
    }
    return round != other.round ? round < other.round : isDueBefore(other);
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
