package meridian.cli.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Recorder;

/** How the requests of each priority ended; those that leave it to the model are not told apart. */
final class PriorityRecord {

  private final Map<Integer, Recorder> latencies = new ConcurrentHashMap<>();
  private final Map<Integer, LongAdder> failures = new ConcurrentHashMap<>();

  void answered(int priority, long nanos) {
    if (priority > 0) {
      latencies
          .computeIfAbsent(priority, _ -> new Recorder(LoadRecord.LONGEST_NANOS, LoadRecord.DIGITS))
          .recordValue(nanos);
    }
  }

  void failed(int priority) {
    if (priority > 0) {
      failures.computeIfAbsent(priority, _ -> new LongAdder()).increment();
    }
  }

  /** What came since the last call, by priority. */
  Map<Integer, PriorityGroup> take() {
    Map<Integer, PriorityGroup> groups = new TreeMap<>();
    latencies.forEach(
        (priority, recorder) ->
            groups.put(priority, new PriorityGroup(recorder.getIntervalHistogram(), 0)));
    failures.forEach(
        (priority, count) -> add(groups, priority, PriorityGroup.failures(count.sumThenReset())));
    return groups;
  }

  /** The group itself is not kept, so that it may go into several sums. */
  static void add(Map<Integer, PriorityGroup> groups, int priority, PriorityGroup group) {
    groups.computeIfAbsent(priority, _ -> PriorityGroup.failures(0));
    groups.computeIfPresent(priority, (_, sum) -> sum.plus(group));
  }
}
