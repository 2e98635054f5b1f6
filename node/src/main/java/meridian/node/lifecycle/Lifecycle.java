package meridian.node.lifecycle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelControl;
import meridian.core.model.VersionStatus;
import meridian.core.time.NanoClock;
import meridian.node.config.NodeDefaults;
import meridian.node.config.SettingsReader;
import meridian.node.repository.Repository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes models come and go. All decisions and all loading happen one after the other on one worker
 * thread, the only one that changes entries; requests read what it publishes.
 */
public final class Lifecycle implements ModelControl {

  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

  private final ScheduledExecutorService worker;
  private final RepositoryWatch watch;
  private final Entries entries;
  private final Replacement replacement;
  private final Orders orders;
  private final Retirement retirement;
  private final ModelViews views;
  private final NanoClock clock;
  private final LifecycleSettings settings;
  private final CompletableFuture<Void> firstScan = new CompletableFuture<>();
  private volatile boolean stopping;

  private Lifecycle(
      Repository repository,
      ModelViews views,
      Surroundings around,
      NodeDefaults defaults,
      LifecycleSettings settings) {
    this.settings = settings;
    this.views = views;
    this.worker = around.worker();
    this.clock = around.clock();
    this.entries = new Entries(views, around.metrics());
    this.watch =
        new RepositoryWatch(
            repository, settings.settle().toNanos(), entries, views, settings.loadAll());
    this.retirement = new Retirement(entries, worker, around.closer());
    this.replacement =
        new Replacement(
            new SettingsReader(around.backend(), defaults),
            new VersionLoader(around, settings.warmUpLimit().toNanos()),
            repository,
            entries,
            retirement,
            around);
    this.orders = new Orders(repository, entries, replacement, retirement, worker);
  }

  /**
   * Lists the repository before it returns, so that every model is known; loads after that.
   *
   * @param views where requests are to find the versions
   */
  public static Lifecycle start(
      Repository repository,
      ModelViews views,
      Surroundings around,
      NodeDefaults defaults,
      LifecycleSettings settings) {
    Lifecycle lifecycle = new Lifecycle(repository, views, around, defaults, settings);
    lifecycle.begin();
    return lifecycle;
  }

  private void begin() {
    CompletionStage<Void> _ = poll(clock.nanos());
    if (settings.pollInterval().isPositive()) {
      long interval = settings.pollInterval().toNanos();
      ScheduledFuture<?> _ =
          worker.scheduleWithFixedDelay(this::pollSafely, interval, interval, TimeUnit.NANOSECONDS);
    }
  }

  /** Completes when all that was in the repository when it was first read has been tried. */
  public CompletionStage<Void> firstScan() {
    return firstScan.copy();
  }

  /** Looks at the repository. The stage completes when what has to be loaded has been tried. */
  public CompletionStage<Void> pollOnce(long nowNanos) {
    return CompletableFuture.supplyAsync(() -> poll(nowNanos), worker).thenCompose(stage -> stage);
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> load(LoadRequest request) {
    return order(() -> CompletableFuture.completedFuture(orders.load(request)));
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> unload(String name) {
    return order(() -> orders.unload(name));
  }

  /**
   * Lets requests under way finish, for a limited time, and closes all versions.
   *
   * @return false if some are not closed because something still uses them
   */
  public boolean stop() {
    views.stop();
    stopping = true;
    try {
      CompletableFuture.supplyAsync(this::retireAll, worker)
          .thenCompose(stage -> stage)
          .get(settings.stopTimeout().toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException _) {
      LOG.warn("models: not all closed within {}", settings.stopTimeout());
    } catch (ExecutionException e) {
      LOG.error("models: not closed", e.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private CompletionStage<Outcome<List<VersionStatus>>> order(
      Supplier<CompletionStage<Outcome<List<VersionStatus>>>> work) {
    try {
      return CompletableFuture.supplyAsync(
              () -> stopping ? CompletableFuture.completedFuture(stopped()) : work.get(), worker)
          .thenCompose(stage -> stage);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.completedFuture(stopped());
    }
  }

  private static Outcome<List<VersionStatus>> stopped() {
    return Outcome.failed(Problem.of(ErrorCode.UNAVAILABLE, "server: stopping"));
  }

  /** An exception would end the schedule. */
  private void pollSafely() {
    try {
      CompletionStage<Void> _ = poll(clock.nanos());
    } catch (RuntimeException e) {
      LOG.error("repository: poll failed", e);
    }
  }

  private CompletionStage<Void> poll(long nowNanos) {
    if (stopping) {
      return CompletableFuture.completedFuture(null);
    }
    watch.look(nowNanos);
    return reconcileDue().thenRun(this::noteScan);
  }

  /** The models that were there when the repository was first read have been tried by now. */
  private void noteScan() {
    if (watch.hasSeen()) {
      views.scanned();
      firstScan.complete(null);
    }
  }

  /** One task per model, so that orders get their turn between two loads. */
  private CompletableFuture<Void> reconcileDue() {
    return CompletableFuture.allOf(
        entries.all().stream()
            .filter(ModelEntry::isDue)
            .map(entry -> CompletableFuture.runAsync(() -> reconcile(entry), worker))
            .toArray(CompletableFuture<?>[]::new));
  }

  private void reconcile(ModelEntry entry) {
    if (stopping || !entry.isDue()) {
      return;
    }
    try {
      replacement.run(entry, false);
    } catch (RuntimeException e) {
      LOG.error("model {}: not brought up to date", entry.name(), e);
    }
  }

  private CompletionStage<Void> retireAll() {
    entries.all().forEach(orders::retireAll);
    return retirement.all().thenRun(() -> entries.all().forEach(orders::endOverride));
  }
}
