package meridian.batching;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import meridian.core.error.ErrorCode;
import meridian.core.time.Deadline;

/** What {@link Scheduler} shall decide, in the slow and plain way: one list, searched anew. */
final class PlainScheduler {

  private static final Comparator<Entry> DUE = (a, b) -> Long.signum(a.dueNanos - b.dueNanos);

  private static final Comparator<Entry> ORDER =
      Comparator.<Entry>comparingInt(entry -> entry.level).thenComparing(DUE);

  /** In order of arrival; sorting is stable. */
  private final List<Entry> waiting = new ArrayList<>();

  private final List<Ticket> everyone = new ArrayList<>();

  /** Lane time by queue. */
  private final Map<WorkQueue, Long> served = new HashMap<>();

  private long servedMost;
  private WorkQueue running;
  private long startNanos;

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** All that were ever offered. */
  List<Ticket> everyone() {
    return everyone;
  }

  ErrorCode offer(Ticket ticket, long nowNanos) {
    everyone.add(ticket);
    QueueSettings settings = ticket.queue().settings();
    if (ticket.work().rows() > settings.maxBatchRows()) {
      return ErrorCode.INVALID_ARGUMENT;
    }
    if (ticket.work().deadline().isPast(nowNanos)) {
      return ErrorCode.DEADLINE_EXCEEDED;
    }
    if (isFull(ticket)) {
      return ErrorCode.OVERLOADED;
    }
    if (count(ticket.queue()) == 0) {
      served.merge(ticket.queue(), servedMost, Math::max);
    }
    waiting.add(Entry.of(ticket, nowNanos));
    return null;
  }

  List<Ticket> expire(long nowNanos) {
    return removeIf(entry -> entry.ticket.work().deadline().isPast(nowNanos));
  }

  boolean cancel(Ticket ticket) {
    return !removeIf(entry -> entry.ticket == ticket).isEmpty();
  }

  List<Ticket> take(long nowNanos) {
    if (running != null) {
      served.merge(running, nowNanos - startNanos, Long::sum);
      running = null;
    }
    Entry first =
        waiting.stream()
            .filter(this::isHead)
            .min(Comparator.<Entry>comparingLong(this::served).thenComparing(DUE))
            .orElse(null);
    return first == null ? List.of() : take(first, nowNanos);
  }

  private List<Ticket> take(Entry first, long nowNanos) {
    running = first.ticket.queue();
    startNanos = nowNanos;
    servedMost = Math.max(servedMost, served(first));
    List<Ticket> batch = new ArrayList<>();
    int rows = 0;
    for (Entry entry : waiting.stream().sorted(ORDER).toList()) {
      if (!first.isLike(entry)) {
        continue;
      }
      rows += entry.ticket.slots();
      if (rows > entry.ticket.queue().settings().maxBatchRows()) {
        break;
      }
      batch.add(entry.ticket);
      if (!entry.ticket.queue().settings().mixing()) {
        break;
      }
    }
    removeIf(entry -> batch.contains(entry.ticket));
    return batch;
  }

  long count(WorkQueue queue) {
    return of(queue).size();
  }

  long slots(WorkQueue queue) {
    return of(queue).stream().mapToLong(entry -> entry.ticket.slots()).sum();
  }

  private long served(Entry entry) {
    return served.getOrDefault(entry.ticket.queue(), 0L);
  }

  private boolean isFull(Ticket ticket) {
    return slots(ticket.queue()) + ticket.slots() > ticket.queue().settings().maxQueueRows();
  }

  private boolean isHead(Entry entry) {
    return of(entry.ticket.queue()).stream().sorted(ORDER).findFirst().orElseThrow().equals(entry);
  }

  private List<Entry> of(WorkQueue queue) {
    return waiting.stream().filter(entry -> entry.ticket.queue() == queue).toList();
  }

  private List<Ticket> removeIf(Predicate<Entry> condition) {
    List<Ticket> removed = waiting.stream().filter(condition).map(Entry::ticket).toList();
    waiting.removeIf(condition);
    return removed;
  }

  private record Entry(Ticket ticket, int level, long dueNanos) {

    static Entry of(Ticket ticket, long nowNanos) {
      Work work = ticket.work();
      Deadline deadline = work.deadline();
      return new Entry(
          ticket,
          work.priority() == 0 ? ticket.queue().settings().defaultPriority() : work.priority(),
          deadline.bounded() ? deadline.atNanos() : nowNanos + Scheduler.PATIENCE.toNanos());
    }

    boolean isLike(Entry other) {
      return ticket.queue() == other.ticket.queue()
          && (!ticket.queue().settings().mixing() || rowShape().equals(other.rowShape()));
    }

    private String rowShape() {
      return ticket.work().inputs().getFirst().tensor().shape().row().toString();
    }
  }
}
