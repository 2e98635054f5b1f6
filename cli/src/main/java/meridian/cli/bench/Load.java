package meridian.cli.bench;

import java.util.function.BooleanSupplier;

/** A way to send requests. */
public interface Load {

  /**
   * Runs for {@code nanos} or until told to stop, then waits for the answers still out.
   *
   * @return how many requests were sent
   */
  long run(long nanos, BooleanSupplier stop, LoadRecord record) throws InterruptedException;
}
