package meridian.cli.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Sums the processor time of this process, its threads and a target between start and stop. */
final class CpuMeter {

  private static final long UNKNOWN = -1;

  private final ThreadMXBean beans = ManagementFactory.getThreadMXBean();
  private final Supplier<OptionalLong> target;
  private final Map<Long, Long> threadNanos = new HashMap<>();
  private Map<Long, Long> threadsBefore = Map.of();
  private OptionalLong targetBefore = OptionalLong.empty();
  private long ownBefore;
  private long ownNanos;
  private long targetNanos;

  /**
   * @param target processor time of the target so far, in nanoseconds; empty when not known
   */
  CpuMeter(Supplier<OptionalLong> target) {
    this.target = target;
  }

  /**
   * Processor time of a process of this machine so far, all its threads; where there is /proc, with
   * its resolution, usually 10 ms. Empty once it has ended.
   */
  static Supplier<OptionalLong> ofProcess(ProcessHandle process) {
    return () ->
        process.info().totalCpuDuration().map(Duration::toNanos).stream()
            .mapToLong(Long::longValue)
            .findFirst();
  }

  void start() {
    targetBefore = target.get();
    ownBefore = own();
    threadsBefore = threads();
  }

  void stop() {
    threads()
        .forEach(
            (id, nanos) ->
                threadNanos.merge(id, nanos - threadsBefore.getOrDefault(id, 0L), Long::sum));
    ownNanos += own() - ownBefore;
    OptionalLong now = target.get();
    targetNanos =
        targetNanos == UNKNOWN || targetBefore.isEmpty() || now.isEmpty()
            ? UNKNOWN
            : targetNanos + now.getAsLong() - targetBefore.getAsLong();
  }

  Measurement.Usage usage() {
    long busiest = threadNanos.values().stream().mapToLong(Long::longValue).max().orElse(0);
    return new Measurement.Usage(ownNanos, busiest, targetNanos);
  }

  private static long own() {
    return ofProcess(ProcessHandle.current()).get().orElse(0);
  }

  private Map<Long, Long> threads() {
    Map<Long, Long> nanos = new HashMap<>();
    for (long id : beans.getAllThreadIds()) {
      long used = beans.getThreadCpuTime(id);
      if (used >= 0) {
        nanos.put(id, used);
      }
    }
    return nanos;
  }
}
