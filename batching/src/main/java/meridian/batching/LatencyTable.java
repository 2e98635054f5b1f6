package meridian.batching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import meridian.core.latency.ExecutionTimes;

/**
 * How long executions of one model take, by bucket and rows: the median and the 99th percentile, in
 * which old measurements fade. Where a size was not measured, a line through the others stands in;
 * where a bucket was not, nothing is known and all predictions are 0.
 *
 * <p>For one caller at a time. Keeps the {@value #MOST_BUCKETS} buckets used last.
 */
public final class LatencyTable {

  static final int MOST_BUCKETS = 256;

  private final Map<Bucket, Curve> curves = new LinkedHashMap<>(16, 0.75f, true);

  /** The table that the snapshot was taken of. */
  public static LatencyTable of(ExecutionTimes snapshot) {
    LatencyTable table = new LatencyTable();
    for (ExecutionTimes.Entry entry : snapshot.entries()) {
      table
          .curveToChange(Bucket.ofSpecs(entry.inputs()))
          .restore(entry.rows(), entry.medianNanos(), entry.q99Nanos(), entry.runs());
    }
    return table;
  }

  /**
   * Learns from an execution.
   *
   * @param rows of all its requests, one for a request that has none
   */
  public void record(Bucket bucket, int rows, long nanos) {
    if (rows < 1) {
      throw new IllegalArgumentException("rows: " + rows + " (expected: 1 or more)");
    }
    curveToChange(bucket).record(rows, nanos);
  }

  /** In half the cases it takes no longer; 0 when nothing is known. */
  public long medianNanos(Bucket bucket, int rows) {
    return (long) Math.ceil(curve(bucket).medianNanos(rows));
  }

  /** In 99 of 100 cases it takes no longer; 0 when nothing is known. */
  public long q99Nanos(Bucket bucket, int rows) {
    return curve(bucket).q99Nanos(rows);
  }

  /** What is known now, as data. */
  public ExecutionTimes snapshot() {
    List<ExecutionTimes.Entry> entries = new ArrayList<>();
    curves.forEach((bucket, curve) -> addEntries(entries, bucket, curve));
    return new ExecutionTimes(entries);
  }

  Curve curve(Bucket bucket) {
    Curve curve = curves.get(bucket);
    return curve == null ? Curve.UNKNOWN : curve;
  }

  private Curve curveToChange(Bucket bucket) {
    Curve curve = curves.get(bucket);
    if (curve == null) {
      curve = new Curve();
      curves.put(bucket, curve);
      forgetOldest();
    }
    return curve;
  }

  private void forgetOldest() {
    if (curves.size() > MOST_BUCKETS) {
      curves.remove(curves.keySet().iterator().next());
    }
  }

  private static void addEntries(List<ExecutionTimes.Entry> entries, Bucket bucket, Curve curve) {
    for (int rows = 1; rows <= curve.sizes(); rows++) {
      if (curve.runsOfSize(rows) > 0) {
        entries.add(
            new ExecutionTimes.Entry(
                bucket.specs(),
                rows,
                (long) Math.ceil(curve.medianNanos(rows)),
                curve.q99Nanos(rows),
                curve.runsOfSize(rows)));
      }
    }
  }
}
