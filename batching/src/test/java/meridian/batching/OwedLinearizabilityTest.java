package meridian.batching;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Whatever threads do with a queue's answers at once could have happened in some order. */
public class OwedLinearizabilityTest {

  private static final int SCENARIOS = 3;
  private static final int RUNS = 200;

  private final Owed owed = new Owed();

  public OwedLinearizabilityTest() {
    owed.incur();
    owed.incur();
  }

  @Operation(runOnce = true)
  public void payFirst() {
    owed.paid();
  }

  @Operation(runOnce = true)
  public void paySecond() {
    owed.paid();
  }

  /** True when nothing is owed. */
  @Operation(runOnce = true)
  public boolean close() {
    return owed.close().toCompletableFuture().isDone();
  }

  @Test
  void schedules_explored_areLinearizable() {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(RUNS)
        .check(OwedLinearizabilityTest.class);
  }

  @Test
  void threads_underStress_areLinearizable() {
    new StressOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(RUNS)
        .check(OwedLinearizabilityTest.class);
  }
}
