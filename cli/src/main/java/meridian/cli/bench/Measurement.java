package meridian.cli.bench;

import java.util.List;

/**
 * What one side of a test did.
 *
 * @param span how long it took, warm-up not counted
 * @param timeline in order
 * @param waited requests that waited in the load generator for a place on the wire
 */
public record Measurement(
    LoadRecord.Interval total,
    long sent,
    Span span,
    List<Point> timeline,
    long waited,
    Usage usage) {

  public Measurement {
    timeline = List.copyOf(timeline);
  }

  public long answered() {
    return total.answered();
  }

  public double sentPerSecond() {
    return span.sendingSeconds() == 0 ? 0 : sent / span.sendingSeconds();
  }

  public double answeredPerSecond() {
    return span.seconds() == 0 ? 0 : answered() / span.seconds();
  }

  /** The share of the requests sent that got no answer, or a failure, 0 to 1. */
  public double failedShare() {
    return sent == 0 ? 0 : (double) (sent - answered()) / sent;
  }

  /**
   * @param sendingSeconds in which requests were sent
   * @param seconds until the last answer
   * @param drainSeconds of the longest wait for answers after the end of sending
   */
  public record Span(double sendingSeconds, double seconds, double drainSeconds) {}

  /**
   * What each second saw.
   *
   * @param atSeconds load time at its beginning
   * @param seconds how long it is
   * @param p50Millis latencies of its answers; 0 when there are none
   */
  public record Point(
      double atSeconds,
      double seconds,
      long answered,
      long failed,
      double p50Millis,
      double p99Millis,
      double maxMillis) {

    public double answeredPerSecond() {
      return answered / seconds;
    }

    public double failedPerSecond() {
      return failed / seconds;
    }
  }

  /**
   * Processor time used during the load.
   *
   * @param generatorNanos of this process
   * @param busiestThreadNanos of the one of its threads that used most
   * @param targetNanos of what was tested; negative when not known
   */
  public record Usage(long generatorNanos, long busiestThreadNanos, long targetNanos) {}
}
