package meridian.serving.rest;

import com.linecorp.armeria.common.HttpMethod;
import java.util.List;

/**
 * The endpoints of the REST interface, by their paths. Where two fit, the earlier one answers:
 * {@code /v2/models/stats} is the statistics of all models, not a model of that name.
 */
enum Endpoint {
  INFER(HttpMethod.POST, "/v2/models/{model}/infer", "/v2/models/{model}/versions/{version}/infer"),
  SERVER(HttpMethod.GET, "/v2", "/v2/"),
  LIVE(HttpMethod.GET, "/v2/health/live"),
  READY(HttpMethod.GET, "/v2/health/ready"),
  STATISTICS(
      HttpMethod.GET,
      "/v2/models/stats",
      "/v2/models/{model}/stats",
      "/v2/models/{model}/versions/{version}/stats"),
  EXECUTION_TIMES(
      HttpMethod.GET,
      "/v2/models/{model}/execution_times",
      "/v2/models/{model}/versions/{version}/execution_times"),
  MODEL_READY(
      HttpMethod.GET, "/v2/models/{model}/ready", "/v2/models/{model}/versions/{version}/ready"),
  CONFIGURATION(
      HttpMethod.GET, "/v2/models/{model}/config", "/v2/models/{model}/versions/{version}/config"),
  MODEL(HttpMethod.GET, "/v2/models/{model}", "/v2/models/{model}/versions/{version}"),
  INDEX(HttpMethod.POST, "/v2/repository/index"),
  LOAD(HttpMethod.POST, "/v2/repository/models/{model}/load"),
  UNLOAD(HttpMethod.POST, "/v2/repository/models/{model}/unload");

  private final HttpMethod method;
  private final List<String> paths;

  Endpoint(HttpMethod method, String... paths) {
    this.method = method;
    this.paths = List.of(paths);
  }

  HttpMethod method() {
    return method;
  }

  List<String> paths() {
    return paths;
  }

  /** True for its own method, and for HEAD where that is GET. */
  boolean takes(HttpMethod other) {
    return other == method || (other == HttpMethod.HEAD && method == HttpMethod.GET);
  }

  /** As {@code Allow} lists it. */
  String allowed() {
    return method == HttpMethod.GET ? "GET, HEAD" : method.name();
  }
}
