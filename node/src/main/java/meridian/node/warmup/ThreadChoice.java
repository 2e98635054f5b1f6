package meridian.node.warmup;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How many threads to run one execution on. More make the answer to a lone request faster, and take
 * cores from the other lanes for less than they give, since no graph divides without loss. So they
 * are used as far as a machine whose lanes are all busy answers no less than {@value #KEPT} of what
 * it could.
 */
public final class ThreadChoice {

  /** Below, waking further threads costs a visible part of what they save. */
  public static final long SHORT_NANOS = 5_000_000;

  private static final double KEPT = 0.95;

  /** Of the time with fewer threads: what more of them have to come below. */
  private static final double WORTH = 0.9;

  private final int lanes;
  private final int cores;

  /**
   * @param lanes that execute at once
   * @param cores for all of them
   */
  public ThreadChoice(int lanes, int cores) {
    this.lanes = lanes;
    this.cores = cores;
  }

  /** The counts to measure beside one thread: 2, 4, 8 and so on, and all cores. */
  public List<Integer> candidates() {
    return Stream.concat(
            IntStream.iterate(2, threads -> threads < cores, threads -> 2 * threads).boxed(),
            Stream.of(cores).filter(all -> all > 1))
        .toList();
  }

  /**
   * @param nanos by threads, how long an execution takes that has the machine to itself
   */
  public int among(SortedMap<Integer, Long> nanos) {
    double best = nanos.entrySet().stream().mapToDouble(this::rate).max().orElseThrow();
    int chosen = 0;
    double toBeat = Double.POSITIVE_INFINITY;
    for (Map.Entry<Integer, Long> measured : nanos.entrySet()) {
      if (rate(measured) >= KEPT * best && measured.getValue() < toBeat) {
        chosen = measured.getKey();
        toBeat = WORTH * measured.getValue();
      }
    }
    return chosen;
  }

  /** Executions a nanosecond while all lanes are busy. */
  private double rate(Map.Entry<Integer, Long> measured) {
    double atOnce = Math.min(lanes, (double) cores / measured.getKey());
    return atOnce / measured.getValue();
  }
}
