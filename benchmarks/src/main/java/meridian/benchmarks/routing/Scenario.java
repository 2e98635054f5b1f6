package meridian.benchmarks.routing;

import java.util.List;
import meridian.fleet.topology.Region;
import meridian.fleet.topology.Topology;

/**
 * A world and what is asked of it.
 *
 * @param rttMillis from the i-th gateway, which is in the i-th region, to every region
 * @param load by gateway, requests a second over what its own region can answer
 * @param lanes of every region
 * @param serviceMillis of one request, at the mean
 * @param sigma of the logarithm of that
 */
record Scenario(
    String name,
    List<String> regions,
    double[][] rttMillis,
    double[] load,
    int lanes,
    double serviceMillis,
    double sigma) {

  /** Of a request within the region. */
  private static final double NEAR = 1;

  /** Two regions, 30 and 210 ms away from those who ask. */
  static Scenario twoRegions(double load) {
    return new Scenario(
        "two regions, 30 and 210 ms away, load %.2f of the near one".formatted(load),
        List.of("near", "far"),
        new double[][] {{30, 210}, {210, 30}},
        new double[] {load, 0},
        4,
        5,
        0.3);
  }

  /** Azure's published round-trip times, P95 over 30 days to 2026-07-30. */
  static Scenario world(String name, double... load) {
    return new Scenario(
        name,
        List.of("kuala-lumpur", "singapore", "hong-kong", "tokyo", "amsterdam", "us-east"),
        new double[][] {
          {NEAR, 11, 39, 78, 186, 234},
          {11, NEAR, 41, 74, 182, 229},
          {39, 41, NEAR, 53, 279, 208},
          {78, 74, 53, NEAR, 242, 165},
          {186, 182, 279, 242, NEAR, 91},
          {234, 229, 208, 165, 91, NEAR}
        },
        load,
        4,
        20,
        0.3);
  }

  Topology topology() {
    return new Topology(regions.stream().map(region -> new Region(region, "any")).toList());
  }

  /** Requests a second that a region can answer. */
  double capacity() {
    return lanes * 1e3 / serviceMillis;
  }
}
