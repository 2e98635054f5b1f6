package meridian.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenApiTest {

  private static final Pattern PATH =
      Pattern.compile("\n    \"(/[^\"]*)\": \\{\n      \"(\\w+)\": ");

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

  private static java.util.List<String> paths() throws IOException {
    try (InputStream in =
        OpenApiTest.class.getResourceAsStream("/meridian/serving/admin/openapi.json")) {
      String description = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PATH.matcher(description)
          .results()
          .map((MatchResult path) -> path.group(2) + ' ' + path.group(1))
          .toList();
    }
  }
}
