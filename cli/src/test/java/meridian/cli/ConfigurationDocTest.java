package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Pins every key and default, and keeps the page about them true. */
class ConfigurationDocTest {

  private static final Pattern ROW = Pattern.compile("^\\| `([a-z_.]+)` \\| ([^|]*?) ?\\| .+ \\|$");

  /** Defaults that depend on the machine or have a shorter name, as the page puts them. */
  private static final Map<String, String> IN_WORDS =
      Map.of(
          "node.models", "the samples",
          "node.lanes", "one per core",
          "node.defaults.providers", "`cpu`",
          "server.observability.otlp_endpoint", "");

  @Test
  void page_listsEveryKeyWithItsDefault() throws Exception {
    Map<String, String> expected = new LinkedHashMap<>();
    ConfigOptions.loader()
        .defaults()
        .forEach((key, value) -> expected.put(key, inWords(key, value)));

    assertThat(documented()).containsExactlyEntriesOf(expected);
  }

  @Test
  void providers_defaultToTheCpu() {
    assertThat(ConfigOptions.loader().defaults())
        .containsEntry("node.defaults.providers", "[{\"name\":\"cpu\",\"options\":{}}]")
        .containsEntry("server.observability.otlp_endpoint", "null")
        .containsEntry("node.lanes", "" + Runtime.getRuntime().availableProcessors());
  }

  private static String inWords(String key, String value) {
    return IN_WORDS.getOrDefault(key, value.isEmpty() ? "" : '`' + value + '`');
  }

  private static Map<String, String> documented() throws Exception {
    Map<String, String> rows = new LinkedHashMap<>();
    for (String line : Files.readAllLines(Path.of("../docs/configuration.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.put(row.group(1), row.group(2));
      }
    }
    return rows;
  }
}
