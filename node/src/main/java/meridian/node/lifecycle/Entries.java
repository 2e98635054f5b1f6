package meridian.node.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.node.repository.ModelSource;
import meridian.serving.telemetry.Metrics;
import org.jspecify.annotations.Nullable;

/**
 * All models that are known. What is done to an entry is done in a turn of its model and then
 * published to readers.
 */
final class Entries {

  private final Map<String, ModelEntry> byName = new ConcurrentSkipListMap<>();
  private final Map<String, Map<String, ModelState>> published = new ConcurrentHashMap<>();

  /** The names of those that serve what lies in the repository. */
  private final Set<String> serving = ConcurrentHashMap.newKeySet();

  private final ModelViews views;
  private final Metrics metrics;
  private final long settleNanos;

  /**
   * @param settleNanos how long files must not have changed before they count
   */
  Entries(ModelViews views, Metrics metrics, long settleNanos) {
    this.views = views;
    this.metrics = metrics;
    this.settleNanos = settleNanos;
  }

  @Nullable ModelEntry get(String name) {
    return byName.get(name);
  }

  /** A new entry. */
  ModelEntry add(ModelSource source, boolean wanted) {
    ModelEntry entry = new ModelEntry(source, wanted, settleNanos);
    byName.put(entry.name(), entry);
    return entry;
  }

  /** A copy, in the order of the names. */
  List<ModelEntry> all() {
    return new ArrayList<>(byName.values());
  }

  /** True when models of the repository serve, so that it cannot be without any. */
  boolean serveFromRepository() {
    return !serving.isEmpty();
  }

  /** Shows readers how the model stands now; forgets it when nothing is left of it. */
  void publish(ModelEntry entry) {
    entry.dropEmptySlots();
    if (entry.isServing() && !entry.isOverridden()) {
      serving.add(entry.name());
    } else {
      serving.remove(entry.name());
    }
    if (entry.isForgotten()) {
      byName.remove(entry.name(), entry);
      views.remove(entry.name());
      publishStates(entry.name(), List.of());
    } else {
      ModelView view = entry.view();
      views.put(view);
      publishStates(entry.name(), view.statuses());
    }
  }

  private void publishStates(String name, List<VersionStatus> statuses) {
    Map<String, ModelState> now = new TreeMap<>();
    for (VersionStatus status : statuses) {
      if (!status.version().isEmpty()) {
        now.put(status.version(), status.state());
      }
    }
    Map<String, ModelState> before =
        now.isEmpty() ? published.remove(name) : published.put(name, now);
    Map<String, ModelState> known = before == null ? Map.of() : before;
    now.forEach(
        (version, state) -> {
          if (known.get(version) != state) {
            metrics.modelState(name, version, state);
          }
        });
    known.keySet().stream()
        .filter(version -> !now.containsKey(version))
        .forEach(version -> metrics.modelGone(name, version));
  }
}
