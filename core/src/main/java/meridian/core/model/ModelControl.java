package meridian.core.model;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import meridian.core.error.Outcome;
import org.jspecify.annotations.Nullable;

/** Explicit loading and unloading. The stages complete when the work is done, one way or other. */
public interface ModelControl {

  /**
   * Loads, or loads again, the versions that the model's policy selects. What served before goes on
   * serving until its successor is warm, and for good when the load fails.
   */
  CompletionStage<Outcome<List<VersionStatus>>> load(LoadRequest request);

  /** Drains and closes every version of the model. */
  CompletionStage<Outcome<List<VersionStatus>>> unload(String name);

  /**
   * @param configJson a configuration in place of the repository's, in JSON with config.pbtxt's
   *     names
   * @param files contents by {@code version/file}, in place of the repository's
   */
  record LoadRequest(String name, @Nullable String configJson, Map<String, byte[]> files) {
    public LoadRequest {
      files = Map.copyOf(files);
    }

    public static LoadRequest of(String name) {
      return new LoadRequest(name, null, Map.of());
    }
  }
}
