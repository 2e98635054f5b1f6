package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;
import meridian.core.time.Deadline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans of random queues, held against the plain way to make one: lists, sorted and cut. */
class PlanTest {

  private static final Comparator<Ticket> ORDER = (a, b) -> a == b ? 0 : a.isBefore(b) ? -1 : 1;

  private final ManualClock clock = new ManualClock();
  private final Heap<WorkQueue> queues = new InNoOrder();
  private final List<Ticket> tickets = new ArrayList<>();
  private long sequence;

  static IntStream seeds() {
    return IntStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void late_randomQueues_agreesWithThePlainPlan(int seed) {
    Random random = new Random(seed);
    int lanes = 1 + random.nextInt(3);
    List<WorkQueue> all =
        List.of(
            queue(0, 8, true, SchedulerUnderTest.table(3, 0.5)),
            queue(1, 3, true, SchedulerUnderTest.table(20, 4)),
            queue(2, 8, false, SchedulerUnderTest.table(2, 0)));
    for (int i = 0; i < 60; i++) {
      add(all.get(random.nextInt(3)), random);
    }
    all.stream().filter(queue -> !queue.isEmpty()).forEach(queues::add);
    Plan plan = new Plan(new Runs(lanes));
    long held = random.nextInt(3) * 1_000_000L;
    int late = plan.late(queues, held, clock.nanos());
    assertThat(late).isEqualTo(plainLate(all, lanes, held));
    assertThat(plan.late(queues, held, clock.nanos())).isEqualTo(late);
    assertThat(late).isBetween(1, 59);
  }

  private int plainLate(List<WorkQueue> all, int lanes, long held) {
    List<List<List<Ticket>>> left = all.stream().map(this::batches).toList();
    PriorityQueue<Long> free = new PriorityQueue<>();
    IntStream.range(0, lanes).forEach(_ -> free.add(held));
    int late = 0;
    while (left.stream().anyMatch(batches -> !batches.isEmpty())) {
      List<Ticket> batch =
          left.stream()
              .filter(batches -> !batches.isEmpty())
              .min(Comparator.comparingLong(batches -> latestStart(batches.getFirst())))
              .orElseThrow()
              .removeFirst();
      long end = free.remove() + nanos(batch);
      free.add(end);
      late += (int) batch.stream().filter(ticket -> ticket.isLate(clock.nanos() + end)).count();
    }
    return late;
  }

  /** The queue's batches in the order in which they run. */
  private List<List<Ticket>> batches(WorkQueue queue) {
    List<List<Ticket>> batches = new ArrayList<>();
    for (Bucket bucket : tickets.stream().map(Ticket::bucket).distinct().toList()) {
      List<Ticket> line =
          tickets.stream()
              .filter(ticket -> ticket.queue() == queue && ticket.bucket().equals(bucket))
              .sorted(ORDER)
              .toList();
      batches.addAll(cut(line, queue.settings()));
    }
    batches.sort(Comparator.comparing(List::getFirst, ORDER));
    return batches;
  }

  private static List<List<Ticket>> cut(List<Ticket> line, QueueSettings settings) {
    List<List<Ticket>> batches = new ArrayList<>();
    int slots = Integer.MAX_VALUE / 2;
    for (Ticket ticket : line) {
      slots += ticket.slots();
      if (slots > settings.maxBatchRows() || ticket.beginsBatch || !settings.mixing()) {
        batches.add(new ArrayList<>());
        slots = ticket.slots();
      }
      batches.getLast().add(ticket);
    }
    return batches;
  }

  private long latestStart(List<Ticket> batch) {
    long earliest =
        batch.stream().mapToLong(ticket -> ticket.dueNanos() - clock.nanos()).min().orElseThrow();
    return earliest - nanos(batch);
  }

  private static long nanos(List<Ticket> batch) {
    int slots = batch.stream().mapToInt(Ticket::slots).sum();
    return batch.getFirst().curve().q99Nanos(slots);
  }

  private void add(WorkQueue queue, Random random) {
    Work shape =
        random.nextInt(3) == 0 ? Requests.wide(3, 0) : Requests.rows(1 + random.nextInt(3));
    Deadline deadline =
        random.nextInt(5) == 0
            ? Deadline.NONE
            : Deadline.after(clock.nanos(), Duration.ofMillis(random.nextInt(200)).toNanos());
    Work work = Requests.priority(Requests.due(shape, deadline), 1 + random.nextInt(2));
    Ticket ticket =
        Ticket.of(
            queue, Requests.tenant(work, random.nextBoolean() ? "a" : "b"), clock.nanos(), _ -> {});
    ticket.sequence = sequence++;
    queue.tenants().place(ticket);
    queue.add(ticket);
    queue.separate(ticket, random.nextInt(6) == 0);
    tickets.add(ticket);
  }

  private static WorkQueue queue(int number, int batch, boolean mixing, LatencyTable table) {
    QueueSettings settings = SchedulerUnderTest.settings(batch, mixing, 500, 1_000_000);
    return new WorkQueue(settings, table, (_, _, _) -> List.of(), (_, _, _, _) -> {}, number);
  }

  private static final class InNoOrder extends Heap<WorkQueue> {
    @Override
    boolean before(WorkQueue a, WorkQueue b) {
      return false;
    }

    @Override
    int place(WorkQueue queue) {
      return queue.place;
    }

    @Override
    void place(WorkQueue queue, int place) {
      queue.place = place;
    }
  }
}
