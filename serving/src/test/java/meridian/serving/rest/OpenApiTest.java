package meridian.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import meridian.core.error.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenApiTest {

  private static final Pattern PATH =
      Pattern.compile("\n    \"(/[^\"]*)\": \\{\n      \"(\\w+)\": ");

  /** What a slow, large or broken request gets anywhere, and what a stopping server says. */
  private static final Set<ErrorCode> ANY =
      EnumSet.of(
          ErrorCode.INVALID_ARGUMENT,
          ErrorCode.REQUEST_TIMEOUT,
          ErrorCode.TOO_LARGE,
          ErrorCode.INTERNAL,
          ErrorCode.UNAVAILABLE);

  private static final Set<Endpoint> HAVE_THEIR_OWN_503 =
      EnumSet.of(Endpoint.LIVE, Endpoint.READY, Endpoint.MODEL_READY);

  @ParameterizedTest
  @EnumSource
  void description_endpoint_isThereWithItsMethod(Endpoint endpoint) throws IOException {
    for (String path : endpoint.paths()) {
      assertThat(paths()).contains(endpoint.method().name().toLowerCase(Locale.ROOT) + ' ' + path);
    }
  }

  @Test
  void description_path_isServed() throws IOException {
    for (String entry : paths()) {
      String path = entry.substring(entry.indexOf(' ') + 1);
      assertThat(Endpoint.values()).as(path).anyMatch(endpoint -> endpoint.paths().contains(path));
    }
  }

  /** By the status of the table, each with the response of its name or one of its own. */
  @ParameterizedTest
  @EnumSource
  void description_endpoint_listsEveryFailure(Endpoint endpoint) throws IOException {
    for (String path : endpoint.paths()) {
      String responses = responsesOf(path);
      for (ErrorCode code : ErrorCode.values()) {
        String status = "\"" + code.httpStatus() + "\": {";
        String entry =
            status + "\n            \"$ref\": \"#/components/responses/" + code.label() + '"';
        if (!failures(endpoint, path).contains(code)) {
          assertThat(responses).as(path).doesNotContain(status);
        } else if (code == ErrorCode.UNAVAILABLE && HAVE_THEIR_OWN_503.contains(endpoint)) {
          assertThat(responses).as(path).contains(status);
        } else {
          assertThat(responses).as(path).contains(entry);
        }
      }
    }
  }

  private static Set<ErrorCode> failures(Endpoint endpoint, String path) {
    Set<ErrorCode> codes = EnumSet.copyOf(ANY);
    if (path.contains("{model}")) {
      codes.add(ErrorCode.NOT_FOUND);
    }
    if (endpoint.method() == HttpMethod.POST) {
      codes.add(ErrorCode.UNSUPPORTED_ENCODING);
      codes.add(ErrorCode.OVERLOADED);
    }
    if (endpoint == Endpoint.INFER) {
      codes.add(ErrorCode.NOT_REPRESENTABLE);
      codes.add(ErrorCode.DEADLINE_EXCEEDED);
    }
    return codes;
  }

  private static String responsesOf(String path) throws IOException {
    String description = description();
    int from = description.indexOf("\n    \"" + path + "\": {");
    return description.substring(from, description.indexOf("\n    }", from));
  }

  private static List<String> paths() throws IOException {
    return PATH.matcher(description())
        .results()
        .map((MatchResult path) -> path.group(2) + ' ' + path.group(1))
        .toList();
  }

  private static String description() throws IOException {
    try (InputStream in =
        OpenApiTest.class.getResourceAsStream("/meridian/serving/admin/openapi.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
