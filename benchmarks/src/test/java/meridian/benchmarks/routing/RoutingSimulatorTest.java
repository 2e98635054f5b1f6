package meridian.benchmarks.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** In virtual time, so the same on every machine. */
class RoutingSimulatorTest {

  private static final long LENGTH_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final List<Scenario> SCENARIOS = RoutingSimulator.SCENARIOS;

  @ParameterizedTest
  @FieldSource("SCENARIOS")
  void meridian_anyLoad_hardlyEverPassesOverAnIdleRegion(Scenario scenario) {
    Tally ours = run(scenario, "Meridian");
    assertThat(ours.count()).isGreaterThan(5_000);
    assertThat(ours.awayFromIdleShare()).isLessThan(0.001);
  }

  @ParameterizedTest
  @FieldSource("SCENARIOS")
  void meridian_anyLoad_isNearTheOracle(Scenario scenario) {
    double best = run(scenario, "oracle").millis(0.99);
    assertThat(run(scenario, "Meridian").millis(0.99)).isLessThan(1.2 * best);
  }

  @Test
  void meridian_mixedLoad_isWithinATenthOfTheOracle() {
    Scenario mixed = Scenario.world("mixed", 0.8, 0.5, 0.3, 0.7, 0.6, 0.4);
    double best = run(mixed, "oracle").millis(0.99);
    assertThat(run(mixed, "Meridian").millis(0.99)).isLessThan(1.1 * best);
    assertThat(run(mixed, "peak-EWMA").awayFromIdleShare())
        .as("the simulation can tell a worse rule")
        .isGreaterThan(0.01);
  }

  @Test
  void run_twice_isTheSame() {
    Scenario crowd = SCENARIOS.get(4);
    assertThat(run(crowd, "Meridian").millis(0.999))
        .isEqualTo(run(crowd, "Meridian").millis(0.999));
  }

  private static Tally run(Scenario scenario, String rule) {
    Simulation.Maker maker = Objects.requireNonNull(RoutingSimulator.RULES.get(rule));
    return Simulation.run(scenario, maker, LENGTH_NANOS);
  }
}
