package meridian.fleet.routing;

/**
 * How a region stands with one model, as it tells on its answers.
 *
 * @param lanes that execute at once
 * @param inFlight requests that have come and have no answer yet
 * @param perSecond answers a second that all lanes give when they have enough to do
 * @param serviceNanos from the start of an execution to the answer, at the median
 */
public record LoadReport(int lanes, int inFlight, double perSecond, long serviceNanos) {

  public LoadReport {
    require("lanes", lanes > 0, lanes, "1 or more");
    require("inFlight", inFlight >= 0, inFlight, "0 or more");
    require(
        "perSecond", perSecond > 0 && Double.isFinite(perSecond), perSecond, "a number above 0");
    require("serviceNanos", serviceNanos >= 0, serviceNanos, "0 or more");
  }

  private static void require(String field, boolean holds, Object actual, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s: %s (expected: %s)".formatted(field, actual, expected));
    }
  }
}
