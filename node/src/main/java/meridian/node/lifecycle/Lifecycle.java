package meridian.node.lifecycle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelControl;
import meridian.core.model.VersionStatus;
import meridian.core.time.NanoClock;
import meridian.node.config.NodeDefaults;
import meridian.node.config.SettingsReader;
import meridian.node.repository.Repository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes models come and go. What is decided and done about one model happens in its turns, one
 * after the other; different models do not wait for each other, save for a thread that loads.
 * Requests read what is published.
 */
public final class Lifecycle implements ModelControl {

  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

  private final ScheduledExecutorService poller;
  private final Turns turns;
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
    this.poller = around.poller();
    this.turns = new Turns(around.turns());
    this.clock = around.clock();
    this.entries = new Entries(views, around.metrics(), settings.settle().toNanos());
    this.watch = new RepositoryWatch(repository, entries, views, settings.loadAll());
    this.retirement = new Retirement(entries, turns, around.closer());
    this.replacement =
        new Replacement(
            new SettingsReader(around.backend(), defaults),
            new LoadPool(
                new VersionLoader(around, settings.warmUpLimit().toNanos()), around.loaders()),
            repository,
            entries,
            retirement,
            around.metrics(),
            () -> stopping);
    this.orders = new Orders(repository, entries, replacement, retirement, turns);
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
    List<Sighting> sightings = watch.look(clock.nanos());
    sightings.forEach(watch::note);
    CompletionStage<Void> _ =
        noteScan(inTurns(sightings, sighting -> bringUpToDate(sighting.model())), false);
    if (settings.pollInterval().isPositive()) {
      long interval = settings.pollInterval().toNanos();
      ScheduledFuture<?> _ =
          poller.scheduleWithFixedDelay(this::pollSafely, interval, interval, TimeUnit.NANOSECONDS);
    }
  }

  /** Completes when all that was in the repository when it was first read has been tried. */
  public CompletionStage<Void> firstScan() {
    return firstScan.copy();
  }

  /** Looks at the repository. The stage completes when what has to be loaded has been tried. */
  public CompletionStage<Void> pollOnce(long nowNanos) {
    return CompletableFuture.supplyAsync(() -> poll(nowNanos, _ -> true), poller)
        .thenCompose(Function.identity());
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> load(LoadRequest request) {
    return order(request.name(), () -> CompletableFuture.completedFuture(orders.load(request)));
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> unload(String name) {
    return order(name, () -> orders.unload(name));
  }

  /**
   * Lets requests under way finish, for a limited time, and closes all versions. Loads end at their
   * next step.
   *
   * @return false if some are not closed because something still uses them
   */
  public boolean stop() {
    views.stop();
    stopping = true;
    try {
      retireAll().get(settings.stopTimeout().toNanos(), TimeUnit.NANOSECONDS);
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
      String model, Supplier<CompletionStage<Outcome<List<VersionStatus>>>> work) {
    return turns
        .take(model, () -> stopping ? CompletableFuture.completedFuture(stopped()) : work.get())
        .thenCompose(Function.identity());
  }

  private static Outcome<List<VersionStatus>> stopped() {
    return Outcome.failed(Problem.of(ErrorCode.UNAVAILABLE, "server: stopping"));
  }

  /**
   * Leaves out models that something is being done about, so that looks do not pile up behind a
   * load. An exception would end the schedule.
   */
  private void pollSafely() {
    try {
      CompletionStage<Void> _ = poll(clock.nanos(), turns::isFree);
    } catch (RuntimeException e) {
      LOG.error("repository: poll failed", e);
    }
  }

  private CompletionStage<Void> poll(long nowNanos, Predicate<String> wanted) {
    if (stopping) {
      return CompletableFuture.completedFuture(null);
    }
    boolean seenBefore = watch.hasSeen();
    List<Sighting> sightings =
        watch.look(nowNanos).stream()
            .filter(sighting -> sighting.first() || wanted.test(sighting.model()))
            .toList();
    return noteScan(inTurns(sightings, this::take), seenBefore);
  }

  /**
   * When the models that were there when the repository was first read have been tried, says so.
   */
  private CompletableFuture<Void> noteScan(CompletableFuture<Void> tried, boolean seenBefore) {
    return seenBefore || !watch.hasSeen()
        ? tried
        : tried.thenRun(
            () -> {
              views.scanned();
              firstScan.complete(null);
            });
  }

  private CompletableFuture<Void> inTurns(List<Sighting> sightings, Consumer<Sighting> work) {
    return all(
        sightings.stream()
            .map(sighting -> turns.take(sighting.model(), () -> done(work, sighting))));
  }

  private static @Nullable Void done(Consumer<Sighting> work, Sighting sighting) {
    try {
      work.accept(sighting);
    } catch (RuntimeException e) {
      LOG.error("model {}: not brought up to date", sighting.model(), e);
    }
    return null;
  }

  private void take(Sighting sighting) {
    if (!stopping) {
      watch.note(sighting);
      bringUpToDate(sighting.model());
    }
  }

  private void bringUpToDate(String model) {
    ModelEntry entry = entries.get(model);
    if (!stopping && entry != null && entry.isDue()) {
      replacement.run(entry, false);
    }
  }

  /** Twice: a load that was under way may have added a model after the first time. */
  private CompletableFuture<Void> retireAll() {
    return retireEach()
        .thenCompose(_ -> turns.settled())
        .thenCompose(_ -> retireEach())
        .thenCompose(_ -> retirement.all());
  }

  private CompletableFuture<Void> retireEach() {
    return all(
        entries.all().stream()
            .map(entry -> turns.take(entry.name(), () -> orders.retire(entry)))
            .map(stage -> stage.thenCompose(Function.identity())));
  }

  private static CompletableFuture<Void> all(Stream<? extends CompletableFuture<?>> stages) {
    return CompletableFuture.allOf(stages.toArray(CompletableFuture<?>[]::new));
  }
}
