package meridian.node;

import java.nio.file.Files;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import meridian.batching.Lanes;
import meridian.core.backend.Backend;
import meridian.core.error.Outcome;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelControl;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelStatistics;
import meridian.core.model.VersionStatus;
import meridian.core.time.NanoClock;
import meridian.node.engine.Engine;
import meridian.node.lifecycle.Lifecycle;
import meridian.node.lifecycle.ModelViews;
import meridian.node.lifecycle.Surroundings;
import meridian.node.repository.Repository;
import meridian.serving.telemetry.Metrics;
import meridian.serving.telemetry.Watched;
import org.jspecify.annotations.Nullable;

/**
 * Serves the models of a repository: answers requests, tells about models, loads and unloads them.
 *
 * <p>It is ready when every model that was there at the start, or has served since, has a ready
 * version; an empty repository is ready at once, for models to be loaded into it. A model that
 * comes later and is broken does not take readiness away from those that serve.
 */
public final class Node implements InferenceService, ModelCatalog, ModelControl, AutoCloseable {

  private final Lanes lanes;
  private final NodeThreads threads;
  private final ModelViews views;
  private final Lifecycle lifecycle;
  private final InferenceService engine;
  private final Metrics.Watch lanesWatch;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Node(
      NodeSettings settings,
      Backend backend,
      Metrics metrics,
      NanoClock clock,
      InstantSource wall) {
    this.lanes = Lanes.start(settings.lanes(), clock, NodeThreads.daemons("meridian-lane-"));
    this.lanesWatch = metrics.watch(Watched.LANES_BUSY, "", lanes::busy);
    this.threads = NodeThreads.start(settings.lanes(), settings.lifecycle().maxLoads());
    this.views = new ModelViews();
    this.engine = new Engine(views, threads.preparation(), clock, wall);
    this.lifecycle =
        Lifecycle.start(
            new Repository(settings.models()),
            views,
            new Surroundings(
                backend,
                lanes,
                metrics,
                clock,
                threads.poller(),
                threads.turns(),
                threads.loaders(),
                threads.closer()),
            settings.defaults(),
            settings.lifecycle());
  }

  /**
   * Starts serving. Returns when the repository has been listed; models get ready after that.
   *
   * @param backend stays the caller's, who closes it after the node
   * @throws IllegalArgumentException if the repository is not a folder
   */
  public static Node start(
      NodeSettings settings,
      Backend backend,
      Metrics metrics,
      NanoClock clock,
      InstantSource wall) {
    if (!Files.isDirectory(settings.models())) {
      throw new IllegalArgumentException("models: " + settings.models() + " (expected: a folder)");
    }
    return new Node(settings, backend, metrics, clock, wall);
  }

  /** Completes when all that was in the repository at the start has been tried. */
  public CompletionStage<Void> firstScan() {
    return lifecycle.firstScan();
  }

  /**
   * Looks at the repository, as polling does. The stage completes when what has to be loaded has
   * been tried.
   *
   * @param nowNanos on the node's clock
   */
  public CompletionStage<Void> pollOnce(long nowNanos) {
    return lifecycle.pollOnce(nowNanos);
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    return engine.infer(request);
  }

  @Override
  public Outcome<ModelDescription> describe(String name, @Nullable String version) {
    return views.describe(name, version);
  }

  @Override
  public Outcome<ModelConfiguration> configuration(String name, @Nullable String version) {
    return views.configuration(name, version);
  }

  @Override
  public Outcome<List<ModelStatistics>> statistics(
      @Nullable String name, @Nullable String version) {
    return views.statistics(name, version);
  }

  @Override
  public Outcome<ExecutionTimes> executionTimes(String name, @Nullable String version) {
    return views.executionTimes(name, version);
  }

  @Override
  public List<VersionStatus> index() {
    return views.index();
  }

  @Override
  public boolean ready() {
    return views.ready();
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> load(LoadRequest request) {
    return lifecycle.load(request);
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> unload(String name) {
    return lifecycle.unload(name);
  }

  /**
   * Stops: not ready from here on, new requests are refused as {@code UNAVAILABLE}, those under way
   * finish, then all models are closed. Lanes that do not come to an end are left to the process.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    boolean stopped = lifecycle.stop();
    threads.stop();
    if (stopped) {
      lanes.close();
    }
    lanesWatch.close();
  }
}
