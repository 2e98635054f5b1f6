package meridian.batching;

import java.util.concurrent.CompletionStage;
import meridian.core.latency.ExecutionTimes;

/** The way to the lanes for one served version. Safe for use by many threads. */
public interface ModelQueue {

  /**
   * Takes work in, or refuses it at once. The stage completes exactly once and never exceptionally;
   * on a lane's thread when the model ran, on the thread that found the reason when it did not. A
   * brief execution that finds all lanes idle runs before this returns, on the calling thread.
   *
   * @throws IllegalArgumentException if the queue mixes requests and an input's first dimension is
   *     not {@link Work#rows}
   */
  CompletionStage<WorkResult> submit(Work work);

  /** The most rows of one run, and so of one {@link Work}. */
  int maxBatchRows();

  /** Rows that wait for a lane, a request without rows counted as one. */
  long depthRows();

  Accounting accounting();

  /** What executions are known to take now. */
  ExecutionTimes executionTimes();

  /**
   * Refuses new work as {@code UNAVAILABLE} from now on. The stage completes when everything
   * accepted has its answer; the runner is not called after that.
   */
  CompletionStage<Void> drain();
}
