package meridian.node.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import meridian.core.backend.ModelLoadException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverlayTest {

  @Test
  void write_versionsWithFiles_becomeAModelFolder() throws Exception {
    Overlay overlay =
        Overlay.write("m", Map.of("1/model.onnx", new byte[3], "2/data/weights", new byte[1]));
    try {
      assertThat(overlay.source().versions().keySet()).containsExactly(1L, 2L);
      assertThat(Files.getPosixFilePermissions(overlay.source().folder()))
          .allSatisfy(permission -> assertThat(permission.name()).startsWith("OWNER_"));
    } finally {
      overlay.delete();
    }
    assertThat(overlay.source().fault()).isEqualTo("it does not exist");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../evil",
        "1/../../evil",
        "1/../2/model.onnx",
        "/etc/passwd",
        "1//etc/passwd",
        "1/",
        "1",
        "model.onnx",
        "01/model.onnx",
        "1/.",
        "1/a\0b"
      })
  void write_pathOutsideAVersion_isRefusedAndNothingStays(String path) throws Exception {
    long before = leftovers();

    assertThatThrownBy(
            () -> Overlay.write("m", Map.of("1/model.onnx", new byte[1], path, new byte[1])))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageContaining("file:");

    assertThat(leftovers()).isEqualTo(before);
  }

  @Test
  void write_nameTooLongForTheSystem_isRefusedWithoutAPathOfTheServer() {
    String key = "1/" + "n".repeat(300);

    assertThatThrownBy(() -> Overlay.write("m", Map.of(key, new byte[1])))
        .isInstanceOf(ModelLoadException.class)
        .hasMessage("file: cannot be stored: File name too long");
  }

  private static long leftovers() throws Exception {
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("meridian-model-"))
          .count();
    }
  }
}
