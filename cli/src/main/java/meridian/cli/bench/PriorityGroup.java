package meridian.cli.bench;

import org.HdrHistogram.Histogram;

/**
 * Requests of one priority.
 *
 * @param latencies of the answered ones, in nanoseconds
 */
public record PriorityGroup(Histogram latencies, long failed) {

  static PriorityGroup failures(long failed) {
    return new PriorityGroup(new Histogram(LoadRecord.LONGEST_NANOS, LoadRecord.DIGITS), failed);
  }

  PriorityGroup plus(PriorityGroup other) {
    latencies.add(other.latencies);
    return new PriorityGroup(latencies, failed + other.failed);
  }
}
