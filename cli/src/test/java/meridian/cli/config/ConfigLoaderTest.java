package meridian.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {

  record Settings(Listen listen, Path models, Duration grace, List<String> names) {}

  record Listen(String host, int port, long maxBytes) {
    Listen {
      if (maxBytes < 1) {
        throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: 1 or more)");
      }
    }
  }

  private final ConfigLoader<Settings> loader =
      new ConfigLoader<>(
          Settings.class,
          new Settings(
              new Listen("0.0.0.0", 8080, 64L << 20),
              Path.of("models"),
              Duration.ofSeconds(5),
              List.of("a")));

  @TempDir private Path folder;

  @Test
  void load_nothing_givesTheDefaults() throws Exception {
    Settings settings = loader.load(null, Map.of("PATH", "/bin"), Map.of());
    assertThat(settings.listen()).isEqualTo(new Listen("0.0.0.0", 8080, 64L << 20));
    assertThat(settings.grace()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void load_flagOverEnvironmentOverFileOverDefault() throws Exception {
    Path file =
        write("listen:\n  host: file\n  port: 1\n  max_bytes: 2MiB\ngrace: 250ms\nmodels: m\n");
    Settings settings =
        loader.load(
            file,
            Map.of("MERIDIAN_LISTEN_PORT", "2", "MERIDIAN_LISTEN_HOST", "environment"),
            Map.of("listen.port", "3"));
    assertThat(settings.listen()).isEqualTo(new Listen("environment", 3, 2L << 20));
    assertThat(settings.grace()).isEqualTo(Duration.ofMillis(250));
    assertThat(settings.models()).isEqualTo(Path.of("m"));
  }

  @Test
  void load_unknownKey_namesTheNearest() throws Exception {
    Path file = write("listen:\n  prot: 1\n");
    assertThatThrownBy(() -> loader.load(file, Map.of(), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file + ": listen.prot is an unknown key (nearest known: listen.port)");
    assertThatThrownBy(() -> loader.load(null, Map.of("MERIDIAN_GRACES", "1s"), Map.of()))
        .hasMessage(
            "environment variable MERIDIAN_GRACES is unknown (nearest known: MERIDIAN_GRACE)");
  }

  @Test
  void load_launcherVariables_areNotSettings() throws Exception {
    loader.load(
        null, Map.of("MERIDIAN_JAVA_HOME", "/jdk", "MERIDIAN_JAVA_OPTS", "-Xmx1g"), Map.of());
  }

  @Test
  void load_wrongValues_nameKeyValueAndExpectation() throws Exception {
    assertRefused("grace: soon", "grace: soon (expected: a duration such as 250ms, 10s, 5m)");
    assertRefused("listen:\n  port: many", "listen.port: many (expected: a whole number)");
    assertRefused("listen:\n  max_bytes: 0", "listen: max_bytes: 0 (expected: 1 or more)");
    assertRefused(
        "listen: 8080", "listen: 8080 (expected: a section with [host, port, max_bytes])");
    assertRefused("names: a", "names: \"a\" (expected: a list)");
    assertRefused("names: [{}]", "names.0: {} (expected: text)");
    assertRefused("models: [a]", "models: [\"a\"] (expected: text)");
    assertRefused("models: {}", "models: {} (expected: text)");
    assertRefused("listen: {port: [1]}", "listen.port: [1] (expected: a whole number)");
    assertRefused("grace: [1s]", "grace: [\"1s\"] (expected: text)");
    assertRefused("- a", "top level: [\"a\"] (expected: sections)");
  }

  @Test
  void load_brokenYaml_namesFileAndLine() throws Exception {
    Path file = write("listen:\n  host: \"a\n");
    assertThatThrownBy(() -> loader.load(file, Map.of(), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(file + ":");
    Path twice = write("grace: 1s\ngrace: 2s\n");
    assertThatThrownBy(() -> loader.load(twice, Map.of(), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("grace");
  }

  @Test
  void load_missingFile_saysSo() {
    Path file = folder.resolve("none.yaml");
    assertThatThrownBy(() -> loader.load(file, Map.of(), Map.of()))
        .hasMessage(file + ": no such file");
  }

  @Test
  void load_emptyFile_givesTheDefaults() throws Exception {
    assertThat(loader.load(write(""), Map.of(), Map.of()).grace()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void defaults_areKeysAndTextInOrder() {
    assertThat(loader.defaults())
        .containsExactly(
            Map.entry("listen.host", "0.0.0.0"),
            Map.entry("listen.port", "8080"),
            Map.entry("listen.max_bytes", "67108864"),
            Map.entry("models", "models"),
            Map.entry("grace", "5s"),
            Map.entry("names", "[\"a\"]"));
  }

  private void assertRefused(String yaml, String message) throws IOException {
    Path file = write(yaml);
    assertThatThrownBy(() -> loader.load(file, Map.of(), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith(message);
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("meridian.yaml"), yaml);
  }
}
