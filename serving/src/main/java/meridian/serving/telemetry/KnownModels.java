package meridian.serving.telemetry;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names that may become label values. */
final class KnownModels {

  private final Map<String, Set<String>> versionsByModel = new ConcurrentHashMap<>();

  void add(String model, String version) {
    versionsByModel.compute(
        model,
        (_, versions) -> {
          Set<String> all = versions == null ? ConcurrentHashMap.newKeySet() : versions;
          all.add(version);
          return all;
        });
  }

  /** True when that was the last version of the model. */
  boolean remove(String model, String version) {
    return versionsByModel.computeIfPresent(
            model,
            (_, versions) -> {
              versions.remove(version);
              return versions.isEmpty() ? null : versions;
            })
        == null;
  }

  String model(String model) {
    return versionsByModel.containsKey(model) ? model : Metrics.UNKNOWN;
  }

  String version(String model, @Nullable String version) {
    Set<String> versions = versionsByModel.get(model);
    return version != null && versions != null && versions.contains(version)
        ? version
        : Metrics.UNKNOWN;
  }
}
