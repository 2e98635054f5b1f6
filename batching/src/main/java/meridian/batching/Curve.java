package meridian.batching;

import java.util.Arrays;
import meridian.core.latency.ExecutionTimes;

/**
 * How long executions of one bucket take, by rows: a median for every size that was seen, a line
 * through the medians for those that were not, and the way from the median to the 99th percentile
 * for all sizes together, because rare sizes alone would never have enough samples for theirs. What
 * makes an execution late either slows all of it, which is a factor, or takes the processor for a
 * while, which is a time; both are followed, and the smaller one is the tail of a size.
 *
 * <p>Quantiles are followed by multiplicative steps (Hammer and Yazidi, "Incremental quantiles
 * estimators for tracking multiple quantiles", 2017): up by the share of samples that shall lie
 * below, down by the rest, never past the sample. Old samples fade by themselves.
 */
final class Curve {

  /** Nothing is known: every execution is predicted to take no time. */
  static final Curve UNKNOWN = new Curve();

  static final int MOST_SIZES = ExecutionTimes.MOST_ROWS;

  private static final double MEDIAN_STEP = 0.05;
  private static final double TAIL_STEP = 0.1;
  private static final double TAIL = 0.99;

  /** After as many runs without it the line knows better than a size's own median. */
  private static final long STALE_RUNS = 1_000;

  private final LineFit line = new LineFit();
  private double[] medians = new double[0];
  private long[] runsOfSize = new long[0];
  private long[] lastRunOfSize = new long[0];
  private double tailFactor = 1;
  private double tailNanos;
  private long runs;
  private boolean begun;
  private long begunNanos;

  boolean known() {
    return runs > 0;
  }

  double medianNanos(int rows) {
    return isMeasured(rows) ? medians[rows - 1] : line.at(rows);
  }

  long q99Nanos(int rows) {
    double median = medianNanos(rows);
    return (long) Math.ceil(median + Math.min(median * (tailFactor - 1), tailNanos));
  }

  void record(int rows, long nanos) {
    double sample = Math.max(1, nanos);
    if (known()) {
      double median = medianNanos(rows);
      tailFactor = Math.max(1, stepped(tailFactor, sample / median, TAIL, TAIL_STEP, runs));
      double tail = stepped(median + tailNanos, sample, TAIL, TAIL_STEP, runs);
      tailNanos = Math.max(0, tail - median);
    }
    runs++;
    line.add(rows, rows > MOST_SIZES ? sample : recordSize(rows, sample));
  }

  /** Notes that an execution begins, or that one was refused and none had begun before. */
  void begin(long nowNanos) {
    begun = true;
    begunNanos = nowNanos;
  }

  boolean hasBegun() {
    return begun;
  }

  long sinceBegunNanos(long nowNanos) {
    return nowNanos - begunNanos;
  }

  int sizes() {
    return medians.length;
  }

  long runsOfSize(int rows) {
    return runsOfSize[rows - 1];
  }

  /** Takes over what another curve had learnt. */
  void restore(int rows, long medianNanos, long q99Nanos, long runsThen) {
    makeRoom(rows);
    runs += runsThen;
    medians[rows - 1] = medianNanos;
    runsOfSize[rows - 1] = runsThen;
    Arrays.fill(lastRunOfSize, runs);
    tailFactor = Math.max(tailFactor, (double) q99Nanos / medianNanos);
    tailNanos = Math.max(tailNanos, (double) (q99Nanos - medianNanos));
    line.add(rows, (double) medianNanos);
  }

  private boolean isMeasured(int rows) {
    return rows <= medians.length
        && runsOfSize[rows - 1] > 0
        && runs - lastRunOfSize[rows - 1] < STALE_RUNS;
  }

  private double recordSize(int rows, double sample) {
    makeRoom(rows);
    int at = rows - 1;
    medians[at] =
        isMeasured(rows) ? stepped(medians[at], sample, 0.5, MEDIAN_STEP, runsOfSize[at]) : sample;
    runsOfSize[at]++;
    lastRunOfSize[at] = runs;
    return medians[at];
  }

  private void makeRoom(int rows) {
    if (rows > medians.length) {
      medians = Arrays.copyOf(medians, rows);
      runsOfSize = Arrays.copyOf(runsOfSize, rows);
      lastRunOfSize = Arrays.copyOf(lastRunOfSize, rows);
    }
  }

  /** The first samples take larger steps, of 1/n. */
  private static double stepped(
      double estimate, double sample, double share, double step, long samples) {
    double size = Math.max(step, 1.0 / (samples + 1));
    return sample > estimate
        ? Math.min(sample, estimate * (1 + size * share))
        : Math.max(sample, estimate * (1 - size * (1 - share)));
  }
}
