package meridian.protocol;

/**
 * How much of a stranger's message is taken.
 *
 * @param maxBodyBytes of a body after decompression
 * @param maxDepth of nested arrays and objects in JSON, unknown fields included
 * @param maxRank dimensions of a tensor
 */
public record Limits(long maxBodyBytes, int maxDepth, int maxRank) {

  public static final Limits DEFAULT = new Limits(64L << 20, 64, 32);

  /** Nested data is read by recursion. */
  private static final int MOST_DEPTH = 500;

  /** A body, like every tensor in it, lies in one array. */
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  public Limits {
    require("maxBodyBytes", maxBodyBytes, LONGEST_ARRAY);
    require("maxDepth", maxDepth, MOST_DEPTH);
    require("maxRank", maxRank, MOST_DEPTH);
  }

  private static void require(String name, long value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1.." + most + ")");
    }
  }
}
