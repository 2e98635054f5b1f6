package meridian.serving.rest;

import com.linecorp.armeria.common.HttpMethod;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.core.model.ModelName;
import meridian.core.model.ModelVersion;
import meridian.serving.framing.RequestPath;
import org.jspecify.annotations.Nullable;

/** Finds the endpoint of a path, and holds the names in it against their rules. */
final class Router {

  static final String PATH_RULE =
      "begins with /, has no segment .., no control character and only complete escapes of UTF-8";

  private static final List<Route> ROUTES =
      Arrays.stream(Endpoint.values())
          .flatMap(
              endpoint ->
                  endpoint.paths().stream()
                      .map(path -> new Route(endpoint, new PathTemplate(path))))
          .toList();

  private Router() {}

  /**
   * @param rawPath as it came, still encoded, without the query
   */
  static Match match(HttpMethod method, String rawPath) {
    String refused = RequestPath.refused(rawPath);
    return refused == null ? find(method, rawPath) : refuse(method, refused);
  }

  /** By the rule for names where it is a name that breaks it, otherwise by that for paths. */
  private static Match refuse(HttpMethod method, String path) {
    if (path.startsWith("/")
        && find(method, path) instanceof Refused refused
        && refused.problem().code() == ErrorCode.INVALID_ARGUMENT) {
      return refused;
    }
    return new Refused(Problem.invalid("path", Quoted.of(path), PATH_RULE), null);
  }

  private static Match find(HttpMethod method, String rawPath) {
    List<String> path = PathTemplate.segments(rawPath);
    Set<Endpoint> others = EnumSet.noneOf(Endpoint.class);
    for (Route route : ROUTES) {
      if (route.template.matches(path)) {
        if (route.endpoint.takes(method)) {
          return target(route, path);
        }
        others.add(route.endpoint);
      }
    }
    return others.isEmpty() ? unknown(rawPath) : wrongMethod(method, others);
  }

  private static Match target(Route route, List<String> path) {
    String rawModel = route.template.model(path);
    String model = rawModel == null ? null : PercentCoding.decode(rawModel);
    if (rawModel != null) {
      Problem problem = ModelName.check("model", model == null ? rawModel : model);
      if (problem != null || model == null) {
        return new Refused(problem == null ? broken(rawModel) : problem, null);
      }
    }
    String version = route.template.version(path);
    if (version != null && ModelVersion.parse(version).isEmpty()) {
      return new Refused(Problem.invalid("version", Quoted.of(version), ModelVersion.RULE), null);
    }
    return new Found(new Target(route.endpoint, model, version));
  }

  private static Problem broken(String segment) {
    return Problem.invalid("model", Quoted.of(segment), "a segment with complete escapes of UTF-8");
  }

  private static Match unknown(String path) {
    return new Refused(
        Problem.of(
            ErrorCode.NOT_FOUND,
            "path: " + Quoted.of(path) + " (expected: one of the Open Inference Protocol's)"),
        null);
  }

  private static Match wrongMethod(HttpMethod method, Set<Endpoint> endpoints) {
    String allowed = endpoints.stream().map(Endpoint::allowed).collect(Collectors.joining(", "));
    return new Refused(
        Problem.of(
            ErrorCode.METHOD_NOT_ALLOWED, "method: " + method + " (expected: " + allowed + ")"),
        allowed);
  }

  private record Route(Endpoint endpoint, PathTemplate template) {}

  /** What a path leads to. */
  sealed interface Match {}

  record Found(Target target) implements Match {}

  /**
   * @param allow the value of {@code Allow} where the method was the fault
   */
  record Refused(Problem problem, @Nullable String allow) implements Match {}
}
