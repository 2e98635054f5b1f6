package meridian.node.lifecycle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.serving.telemetry.Metrics;
import org.jspecify.annotations.Nullable;

/** All models that are known. Changed by one thread, which publishes what it did to readers. */
final class Entries {

  private final Map<String, ModelEntry> byName = new TreeMap<>();
  private final Map<String, Map<String, ModelState>> published = new HashMap<>();
  private final ModelViews views;
  private final Metrics metrics;

  Entries(ModelViews views, Metrics metrics) {
    this.views = views;
    this.metrics = metrics;
  }

  @Nullable ModelEntry get(String name) {
    return byName.get(name);
  }

  void add(ModelEntry entry) {
    byName.put(entry.name(), entry);
  }

  /** A copy, in the order of the names. */
  List<ModelEntry> all() {
    return new ArrayList<>(byName.values());
  }

  /** Shows readers how the model stands now; forgets it when nothing is left of it. */
  void publish(ModelEntry entry) {
    entry.dropEmptySlots();
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
