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

  public Limits {
    require("maxBodyBytes", maxBodyBytes);
    require("maxDepth", maxDepth);
    require("maxRank", maxRank);
  }

  private static void require(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 1 or more)");
    }
  }
}
