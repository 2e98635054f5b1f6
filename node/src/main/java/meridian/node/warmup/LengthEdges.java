package meridian.node.warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Up to which lengths it pays to fill requests up. Few edges make full batches, many waste little;
 * so lengths share executions as long as the longest takes at most {@value #WASTE} times what the
 * shortest does.
 */
final class LengthEdges {

  static final double WASTE = 1.25;

  /** Where no time was to be had. */
  static final long UNKNOWN = 0;

  private static final int FIRST = 8;
  private static final int LAST = 1 << 16;

  private LengthEdges() {}

  /** 8, 16, 24, 32, 48, 64, 96 and so on: two to each doubling. */
  static List<Integer> candidates() {
    return IntStream.iterate(FIRST, power -> power <= LAST, power -> 2 * power)
        .flatMap(power -> IntStream.of(power, power + power / 2))
        .filter(length -> length % FIRST == 0)
        .boxed()
        .toList();
  }

  /**
   * @param candidates ascending
   * @param nanos how long executions of a length take; once {@link #UNKNOWN}, all longer ones are
   *     edges
   */
  static List<Integer> among(List<Integer> candidates, IntToLongFunction nanos) {
    List<Integer> edges = new ArrayList<>();
    long shortest = UNKNOWN;
    boolean known = true;
    for (int candidate : candidates) {
      long time = known ? nanos.applyAsLong(candidate) : UNKNOWN;
      known = time != UNKNOWN;
      if (known && shortest != UNKNOWN && time <= WASTE * shortest) {
        edges.removeLast();
      } else {
        shortest = time;
      }
      edges.add(candidate);
    }
    return edges;
  }
}
