package meridian.node.version;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Whatever threads do with leases at once could have happened in some order. */
public class LeasesLinearizabilityTest {

  private static final int SCENARIOS = 3;
  private static final int RUNS = 200;

  private final Leases leases = new Leases();

  public LeasesLinearizabilityTest() {
    leases.acquire();
    leases.acquire();
  }

  @Operation
  public boolean acquire() {
    return leases.acquire();
  }

  @Operation(runOnce = true)
  public void releaseFirst() {
    leases.release();
  }

  @Operation(runOnce = true)
  public void releaseSecond() {
    leases.release();
  }

  /** What it returns completes after the count has fallen, which others may see in between. */
  @Operation
  public void end() {
    var _ = leases.end();
  }

  @Operation
  public int count() {
    return leases.count();
  }

  @Test
  void schedules_explored_areLinearizable() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(RUNS)
        .check(LeasesLinearizabilityTest.class);
  }

  @Test
  void threads_underStress_areLinearizable() {
    new StressOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(RUNS)
        .check(LeasesLinearizabilityTest.class);
  }
}
