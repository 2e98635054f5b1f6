package meridian.benchmarks.routing;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import meridian.fleet.routing.LoadReport;

/** A region: lanes that take one request after the other, first come, first served. */
final class Site {

  private final Agenda agenda;
  private final int lanes;
  private final long meanNanos;
  private final Queue<Visit> waiting = new ArrayDeque<>();
  private final PriorityQueue<Visit> coming =
      new PriorityQueue<>(Comparator.comparingLong(Visit::arrivesNanos));
  private final PriorityQueue<Long> busyUntil = new PriorityQueue<>();
  private double slowness = 1;

  /**
   * @param meanNanos of one request
   */
  Site(Agenda agenda, int lanes, long meanNanos) {
    this.agenda = agenda;
    this.lanes = lanes;
    this.meanNanos = meanNanos;
  }

  /**
   * @param done at the site, when it has been served
   */
  record Visit(long arrivesNanos, long serviceNanos, Runnable done) {}

  void slow(double factor) {
    slowness = factor;
  }

  void expect(Visit visit) {
    coming.add(visit);
    agenda.after(visit.arrivesNanos - agenda.nowNanos(), () -> arrive(visit));
  }

  private void arrive(Visit visit) {
    coming.remove(visit);
    waiting.add(visit);
    begin();
  }

  private void begin() {
    while (busyUntil.size() < lanes && !waiting.isEmpty()) {
      Visit visit = waiting.remove();
      long nanos = nanos(visit);
      busyUntil.add(agenda.nowNanos() + nanos);
      agenda.after(nanos, () -> end(visit));
    }
  }

  private void end(Visit visit) {
    busyUntil.remove();
    begin();
    visit.done.run();
  }

  private long nanos(Visit visit) {
    return (long) (slowness * visit.serviceNanos);
  }

  LoadReport report() {
    long mean = (long) (slowness * meanNanos);
    return new LoadReport(lanes, busyUntil.size() + waiting.size(), lanes * 1e9 / mean, mean);
  }

  /** What only an oracle can know: how long a request will wait that comes at a time. */
  long waitNanos(long arrivesNanos) {
    PriorityQueue<Long> free = new PriorityQueue<>(busyUntil);
    while (free.size() < lanes) {
      free.add(agenda.nowNanos());
    }
    serve(waiting, free);
    serve(
        coming.stream()
            .filter(visit -> visit.arrivesNanos <= arrivesNanos)
            .sorted(Comparator.comparingLong(Visit::arrivesNanos))
            .toList(),
        free);
    return Math.max(0, free.element() - arrivesNanos);
  }

  private void serve(Collection<Visit> visits, PriorityQueue<Long> free) {
    for (Visit visit : visits) {
      free.add(Math.max(free.remove(), visit.arrivesNanos) + nanos(visit));
    }
  }
}
