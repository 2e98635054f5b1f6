package meridian.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The REST paths of a model. */
final class Paths {

  private Paths() {}

  static String model(String name, @Nullable String version) {
    String path = "/v2/models/" + segment(name);
    return version == null ? path : path + "/versions/" + segment(version);
  }

  static String infer(String name, @Nullable String version) {
    return model(name, version) + "/infer";
  }

  static String repository(String name, String action) {
    return "/v2/repository/models/" + segment(name) + "/" + action;
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
