package meridian.node.version;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import meridian.batching.ModelQueue;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelStatistics;
import meridian.core.tensor.TensorSpec;
import meridian.node.sequence.Sequencing;
import meridian.pipeline.Pipeline;
import org.jspecify.annotations.Nullable;

/**
 * A version that is loaded, warm and answers. Who uses it holds a {@link Lease}; after {@link
 * #retire} there are no new ones, and when the last is closed and the queue is empty the engine's
 * memory is given back, once.
 */
public final class ServedVersion {

  private final VersionFacts facts;
  private final @Nullable Pipeline pipeline;
  private final @Nullable Sequencing sequencing;
  private final ModelQueue queue;
  private final VersionCounters counters;
  private final Runnable closing;
  private final Leases leases = new Leases();
  private final Lease lease = new OpenLease();
  private final String number;
  private final Set<String> outputNames;

  /**
   * @param sequencing null for a model that keeps nothing between requests
   * @param queue of this version only
   * @param closing gives back all that the version holds; nobody uses it then
   */
  public ServedVersion(
      VersionFacts facts,
      @Nullable Pipeline pipeline,
      @Nullable Sequencing sequencing,
      ModelQueue queue,
      VersionCounters counters,
      Runnable closing) {
    this.facts = facts;
    this.pipeline = pipeline;
    this.sequencing = sequencing;
    this.queue = queue;
    this.counters = counters;
    this.closing = closing;
    this.number = Long.toString(facts.number());
    this.outputNames =
        facts.signature().outputs().stream()
            .map(TensorSpec::name)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The right to use this version, or null when it is about to go. */
  public @Nullable Lease acquire() {
    return leases.acquire() ? lease : null;
  }

  /**
   * Lets nobody in any more, and closes once the last is out.
   *
   * @param closer runs the closing, which may take a while
   */
  public CompletionStage<Void> retire(Executor closer) {
    return leases.end().thenCompose(_ -> queue.drain()).thenRunAsync(closing, closer);
  }

  public VersionFacts facts() {
    return facts;
  }

  /** The version as the protocol writes it. */
  public String number() {
    return number;
  }

  /** The names of all outputs. */
  public Set<String> outputNames() {
    return outputNames;
  }

  public @Nullable Pipeline pipeline() {
    return pipeline;
  }

  public @Nullable Sequencing sequencing() {
    return sequencing;
  }

  public ModelQueue queue() {
    return queue;
  }

  public VersionCounters counters() {
    return counters;
  }

  public ModelStatistics statistics() {
    return counters.snapshot(facts.model(), number);
  }

  /** How long executions take, as measured. */
  public ExecutionTimes executionTimes() {
    return queue.executionTimes();
  }

  /** Leases that are out. */
  public int leases() {
    return leases.count();
  }

  /** Every lease of a version is the same: it only counts. */
  private final class OpenLease implements Lease {
    @Override
    public ServedVersion version() {
      return ServedVersion.this;
    }

    @Override
    public void close() {
      leases.release();
    }
  }
}
