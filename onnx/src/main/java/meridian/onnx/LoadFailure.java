package meridian.onnx;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.ModelLoadException;
import meridian.onnx.capi.Environment;
import meridian.onnx.capi.OrtFailure;

/** Why ONNX Runtime did not open a model, in words that say what to do about it. */
final class LoadFailure {

  private static final String RUNTIME = "ONNX Runtime " + Environment.version();

  private static final List<Explanation> EXPLANATIONS =
      List.of(
          explanation(
              "Opset (\\d+) is under development.* support for domain (\\S+) is till opset (\\d+)",
              found ->
                  "opset: %s of %s (expected: %s or lower, the highest that %s knows); export the"
                          .formatted(found.group(1), found.group(2), found.group(3), RUNTIME)
                      + " model for a lower opset"),
          explanation(
              "Unsupported model IR version: (\\d+), max supported IR version: (\\d+)",
              found ->
                  "ir_version: %s (expected: %s or lower, the highest that %s knows); save the"
                          .formatted(found.group(1), found.group(2), RUNTIME)
                      + " model with an older version of onnx"),
          explanation(
              "(\\S+):(\\S+?)\\(-?\\d+\\) is not a registered function/op",
              found -> unknown(found.group(1) + ":" + found.group(2))),
          explanation(
              "No Op registered for (\\S+) with domain_version of (\\d+)",
              found -> unknown(found.group(1) + " of opset " + found.group(2))),
          explanation(
              "Could not find an implementation for (\\S+) node",
              found ->
                  "operator: %s with these element types (expected: one that an execution provider"
                          .formatted(found.group(1))
                      + " listed has a kernel for); export the model with other types"));

  private LoadFailure() {}

  static ModelLoadException explain(Path file, ExecutionSettings settings, OrtFailure failure) {
    String text = RuntimeMessage.oneLine(failure);
    return new ModelLoadException(file.getFileName() + ": " + explained(text, settings), failure);
  }

  private static String explained(String text, ExecutionSettings settings) {
    if (text.contains("fallback to CPU EP has been explicitly disabled")) {
      return "execution: %s cannot run the whole graph (expected: cpu last, for the rest)"
          .formatted(settings.providers().stream().map(ExecutionProvider::name).toList());
    }
    for (Explanation explanation : EXPLANATIONS) {
      Matcher matcher = explanation.symptom().matcher(text);
      if (matcher.find()) {
        return explanation.words().apply(matcher.toMatchResult());
      }
    }
    return text;
  }

  private static String unknown(String operator) {
    return "operator: %s (expected: one that %s has; it loads no libraries of custom operators);"
            .formatted(operator, RUNTIME)
        + " export the model without it";
  }

  private static Explanation explanation(String symptom, Function<MatchResult, String> words) {
    return new Explanation(Pattern.compile(symptom), words);
  }

  private record Explanation(Pattern symptom, Function<MatchResult, String> words) {}
}
