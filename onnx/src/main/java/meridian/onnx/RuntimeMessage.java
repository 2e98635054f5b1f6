package meridian.onnx;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import meridian.onnx.capi.OrtFailure;

/** ONNX Runtime's messages on one line, without the places in its sources and without paths. */
final class RuntimeMessage {

  private static final Pattern CODE = Pattern.compile("\\[ONNXRuntimeError] : \\d+ : [A-Z_]+ : ");
  private static final Pattern SHORT_SOURCE =
      Pattern.compile("(?<![\\w/])\\w+\\.(?:cc|h):\\d+ \\w+ ");
  private static final Pattern LOADING = Pattern.compile("Load model from .*? failed:\\s*");
  private static final Pattern NODE =
      Pattern.compile(
          "Non-zero status code returned while running (\\S+) node\\. Name:'(.*?)' Status"
              + " Message: ");
  private static final Pattern SOURCE =
      Pattern.compile("\\S*[/\\\\]\\S+\\.(?:cc|cpp|h|hpp|cu):\\d+ ");
  private static final Pattern AFTER_PARAMETERS =
      Pattern.compile("^(?: const| noexcept|::<lambda\\(| \\[with [^]]*])");
  private static final Pattern PATH = Pattern.compile("(?<![\\w.])/(?:[^\\s/'\":]+/)+");

  private RuntimeMessage() {}

  static String oneLine(OrtFailure failure) {
    return oneLine(String.valueOf(failure.getMessage()));
  }

  static String oneLine(String message) {
    String text = message.replaceAll("\\s+", " ").strip();
    text = text.replaceAll("\\p{Cntrl}", "?");
    text = LOADING.matcher(text).replaceAll("");
    text = CODE.matcher(text).replaceAll("");
    text = SHORT_SOURCE.matcher(text).replaceAll("");
    text = NODE.matcher(text).replaceAll(match -> node(match.group(1), match.group(2)));
    return PATH.matcher(withoutSource(text)).replaceAll("").strip();
  }

  private static String node(String operator, String name) {
    return Matcher.quoteReplacement(
        name.isEmpty() ? operator + ": " : operator + " \"" + name + "\": ");
  }

  /** Cuts out "file:line signature", the form in which assertions name their place. */
  private static String withoutSource(String text) {
    Matcher source = SOURCE.matcher(text);
    if (!source.find()) {
      return text;
    }
    int parameters = text.indexOf('(', source.end());
    String before = text.substring(0, source.start());
    return parameters < 0
        ? before + text.substring(source.end())
        : before + withoutSource(text.substring(signatureEnd(text, parameters)).strip());
  }

  private static int signatureEnd(String text, int parameters) {
    int end = closing(text, parameters);
    Matcher more = AFTER_PARAMETERS.matcher(text.substring(end));
    while (more.find()) {
      boolean lambda = more.group().endsWith("(");
      end = lambda ? closing(text, end + more.end() - 1) + 1 : end + more.end();
      more = AFTER_PARAMETERS.matcher(text.substring(Math.min(end, text.length())));
    }
    return Math.min(end, text.length());
  }

  /** The position behind the parenthesis that closes the one at {@code open}. */
  private static int closing(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      if (text.charAt(i) == '(') {
        depth++;
      } else if (text.charAt(i) == ')' && --depth == 0) {
        return i + 1;
      }
    }
    return text.length();
  }
}
