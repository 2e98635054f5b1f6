package meridian.serving.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A path with {@code {model}} and {@code {version}} in the place of segments. */
final class PathTemplate {

  private static final String MODEL = "{model}";
  private static final String VERSION = "{version}";

  private final List<String> segments;
  private final int model;
  private final int version;

  PathTemplate(String path) {
    this.segments = segments(path);
    this.model = segments.indexOf(MODEL);
    this.version = segments.indexOf(VERSION);
  }

  /** The parts between slashes; {@code /v2/} has an empty last one. */
  static List<String> segments(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  boolean matches(List<String> path) {
    if (path.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < path.size(); i++) {
      if (i != model && i != version && !segments.get(i).equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The segment in the place of the model's name, as it stands in the path. */
  @Nullable String model(List<String> path) {
    return model < 0 ? null : path.get(model);
  }

  @Nullable String version(List<String> path) {
    return version < 0 ? null : path.get(version);
  }
}
