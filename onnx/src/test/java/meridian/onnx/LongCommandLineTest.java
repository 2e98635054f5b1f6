package meridian.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** ONNX Runtime parses the command line of its process by recursion. */
class LongCommandLineTest {

  @Test
  void open_inAProcessWithALongCommandLine_doesNotEndIt() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dpadding=" + "a/b:".repeat(25_000),
                "-cp",
                System.getProperty("java.class.path"),
                OpenOnce.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("[cpu]");
  }

  static final class OpenOnce {
    public static void main(String[] args) {
      try (OnnxRuntimeBackend backend = OnnxRuntimeBackend.open()) {
        System.out.println(backend.availableProviders());
      }
    }
  }
}
