package meridian.client;

/**
 * What a client takes of one server at most. A connection is opened when those there are carry as
 * many requests as the server lets them.
 *
 * @param connections open at once; a request that would need one more fails
 * @param inFlight requests on the wire at once; one more waits, up to its deadline
 * @param waiting requests that may wait for that; one more fails
 */
public record Bounds(int connections, int inFlight, int waiting) {

  /**
   * A server usually lets a connection carry 100 to 1,000 requests. What has just been answered
   * frees its place a moment later, so fewer are in flight than would just fit.
   */
  public static final Bounds DEFAULT = new Bounds(4, 3_000, 100_000);

  public Bounds {
    atLeast("connections", connections, 1);
    atLeast("inFlight", inFlight, 1);
    atLeast("waiting", waiting, 0);
  }

  private static void atLeast(String name, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + least + " or more)");
    }
  }
}
