package meridian.protocol.control;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelName;
import meridian.core.model.ModelVersion;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the parameters of a load: {@code config} and {@code file:<version>/<file>}. Those of an
 * unload are {@code unload_dependents} alone.
 */
final class LoadParameters {

  static final String CONFIG = "config";
  static final String FILE = "file:";
  static final String UNLOAD_DEPENDENTS = "unload_dependents";

  private static final String RULE = "config, or file:<version>/<file>";
  private static final Pattern FILE_PATH =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");

  private final Map<String, byte[]> files = new HashMap<>();
  private @Nullable String config;

  static boolean isFile(String parameter) {
    return parameter.startsWith(FILE);
  }

  void config(String json) {
    config = json;
  }

  /** Files lie below the version's folder by their names: no way leads out of it. */
  void file(String parameter, byte[] content) throws ProblemException {
    String path = parameter.substring(FILE.length());
    int slash = path.indexOf('/');
    if (slash < 0
        || ModelVersion.parse(path.substring(0, slash)).isEmpty()
        || !FILE_PATH.matcher(path.substring(slash + 1)).matches()) {
      throw unknown(parameter);
    }
    files.put(path, content);
  }

  static ProblemException unknown(String parameter) {
    return new ProblemException(Problem.invalid("parameters", Quoted.of(parameter), RULE));
  }

  static ProblemException unknownOfUnload(String parameter) {
    return new ProblemException(
        Problem.invalid("parameters", Quoted.of(parameter), UNLOAD_DEPENDENTS));
  }

  LoadRequest request(String model) throws ProblemException {
    Problem problem = ModelName.check("model", model);
    if (problem != null) {
      throw new ProblemException(problem);
    }
    return new LoadRequest(model, config, files);
  }
}
