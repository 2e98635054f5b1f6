package meridian.node.repository;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A model folder.
 *
 * @param folder its real path
 * @param versions by number
 * @param skipped what lies where versions are expected and is none, with the reason
 * @param fault why the folder cannot be read; null when it can
 */
public record ModelSource(
    String name,
    Path folder,
    NavigableMap<Long, VersionSource> versions,
    List<String> skipped,
    @Nullable String fault) {

  public ModelSource {
    versions = Collections.unmodifiableNavigableMap(new TreeMap<>(versions));
    skipped = List.copyOf(skipped);
  }

  public ModelSource withoutVersions() {
    return new ModelSource(name, folder, Collections.emptyNavigableMap(), List.of(), fault);
  }

  static ModelSource unreadable(String name, Path folder, String fault) {
    return new ModelSource(name, folder, Collections.emptyNavigableMap(), List.of(), fault);
  }
}
