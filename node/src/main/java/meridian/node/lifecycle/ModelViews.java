package meridian.node.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelName;
import meridian.core.model.ModelState;
import meridian.core.model.ModelStatistics;
import meridian.core.model.VersionStatus;
import meridian.node.version.Lease;
import meridian.node.version.ServedVersion;
import meridian.node.version.VersionResolver;
import org.jspecify.annotations.Nullable;

/**
 * What the request path sees of the models: reads take no lock. Each model is written in its turns.
 */
public final class ModelViews implements VersionResolver, ModelCatalog {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  /** Each failed try means that a version was replaced in the meantime. */
  private static final int MAX_TRIES = 64;

  private final Map<String, ModelView> models = new ConcurrentHashMap<>();
  private volatile Map<String, String> refused = Map.of();
  private volatile boolean scanned;
  private volatile boolean stopping;

  @Override
  public Outcome<Lease> acquire(String model, @Nullable String version) {
    for (int i = 0; i < MAX_TRIES; i++) {
      switch (find(model, version)) {
        case Outcome.Failed<ServedVersion>(Problem problem) -> {
          return Outcome.failed(problem);
        }
        case Outcome.Ok<ServedVersion>(ServedVersion found) -> {
          Lease lease = found.acquire();
          if (lease != null) {
            return Outcome.ok(lease);
          }
        }
      }
    }
    return Outcome.failed(unavailable("model \"" + model + "\": being replaced"));
  }

  @Override
  public Outcome<ModelDescription> describe(String name, @Nullable String version) {
    return find(name, version)
        .map(
            found ->
                new ModelDescription(
                    name,
                    found.number(),
                    readyNumbers(name),
                    found.facts().platform(),
                    found.facts().signature(),
                    found.facts().properties()));
  }

  @Override
  public Outcome<ModelConfiguration> configuration(String name, @Nullable String version) {
    return find(name, version).map(found -> found.facts().configuration());
  }

  @Override
  public Outcome<List<ModelStatistics>> statistics(
      @Nullable String name, @Nullable String version) {
    if (name == null) {
      return Outcome.ok(
          new TreeMap<>(models)
              .values().stream()
                  .flatMap(view -> ready(view).stream())
                  .map(ServedVersion::statistics)
                  .toList());
    }
    Outcome<ServedVersion> found = find(name, version);
    return version == null
        ? found.map(_ -> readyVersions(name).stream().map(ServedVersion::statistics).toList())
        : found.map(one -> List.of(one.statistics()));
  }

  @Override
  public Outcome<ExecutionTimes> executionTimes(String name, @Nullable String version) {
    return find(name, version).map(ServedVersion::executionTimes);
  }

  @Override
  public List<VersionStatus> index() {
    List<VersionStatus> index = new ArrayList<>();
    for (ModelView view : models.values()) {
      index.addAll(view.statuses());
    }
    refused.forEach(
        (name, reason) -> index.add(new VersionStatus(name, "", ModelState.UNAVAILABLE, reason)));
    // Stable, so that the versions of a model keep their order.
    index.sort(Comparator.comparing(VersionStatus::name));
    return index;
  }

  @Override
  public boolean ready() {
    if (!scanned || stopping) {
      return false;
    }
    for (ModelView view : models.values()) {
      if (!view.isReadyEnough()) {
        return false;
      }
    }
    return true;
  }

  void put(ModelView view) {
    models.put(view.name(), view);
  }

  void remove(String name) {
    models.remove(name);
  }

  void refuse(Map<String, String> reasonsByName) {
    refused = Map.copyOf(reasonsByName);
  }

  /** The models that were there at the start have been tried. */
  void scanned() {
    scanned = true;
  }

  /** From now on there is no version to be had. */
  void stop() {
    stopping = true;
  }

  private Outcome<ServedVersion> find(String name, @Nullable String version) {
    if (stopping) {
      return Outcome.failed(unavailable("server: stopping"));
    }
    ModelView view = models.get(name);
    if (view != null) {
      return view.find(version);
    }
    Problem breaksRule = ModelName.check("model", name);
    return Outcome.failed(
        breaksRule != null
            ? breaksRule
            : Problem.of(ErrorCode.NOT_FOUND, "model: \"" + name + "\" is unknown"));
  }

  private List<String> readyNumbers(String name) {
    return readyVersions(name).stream().map(ServedVersion::number).toList();
  }

  private List<ServedVersion> readyVersions(String name) {
    ModelView view = models.get(name);
    return view == null ? List.of() : ready(view);
  }

  private static List<ServedVersion> ready(ModelView view) {
    return view.ready().values().stream()
        .sorted(Comparator.comparingLong(version -> version.facts().number()))
        .toList();
  }

  private static Problem unavailable(String message) {
    return Problem.retryLater(ErrorCode.UNAVAILABLE, message, RETRY_AFTER);
  }
}
