package meridian.cli.bench;

import java.util.ArrayList;
import java.util.List;
import meridian.cli.bench.Measurement.Point;
import org.jspecify.annotations.Nullable;

/** What each second saw. A rest too short to say anything counts to the second before it. */
final class Timeline {

  private static final double SHORTEST_SECONDS = 0.5;

  private final List<Point> points = new ArrayList<>();
  private LoadRecord.@Nullable Interval last;
  private double lastSeconds;
  private double seconds;

  void add(LoadRecord.Interval interval, double length) {
    if (last != null && length < SHORTEST_SECONDS) {
      last.add(interval);
      lastSeconds += length;
      return;
    }
    finish();
    last = interval;
    lastSeconds = length;
  }

  List<Point> points() {
    finish();
    return List.copyOf(points);
  }

  private void finish() {
    if (last == null) {
      return;
    }
    points.add(
        new Point(
            seconds,
            lastSeconds,
            last.answered(),
            last.failed(),
            last.nanosAt(50) / 1e6,
            last.nanosAt(99) / 1e6,
            last.latencies().getMaxValue() / 1e6));
    seconds += lastSeconds;
    last = null;
  }
}
