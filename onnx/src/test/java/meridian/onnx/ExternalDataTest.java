package meridian.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.ExternalData;
import meridian.testkit.graph.ExternalData.Place;
import meridian.testkit.graph.ModelFolder;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExternalDataTest {

  private static final String OUTSIDE = "is not inside the folder of the model";

  private final OnnxRuntimeBackend backend = OnnxRuntimeBackend.open();

  @TempDir Path repository;

  private Path folder;

  @BeforeEach
  void writeWeights() throws Exception {
    folder = repository.resolve("model/1");
    Files.createDirectories(folder.resolve("sub"));
    Files.write(folder.resolve("w.bin"), ExternalData.file(1, 2, 3, 4));
    Files.write(folder.resolve("sub/w.bin"), ExternalData.file(0, 0, 5, 6, 7, 8));
    Files.write(repository.resolve("secret.bin"), ExternalData.file(9, 9, 9, 9));
  }

  @AfterEach
  void closeBackend() {
    backend.close();
  }

  @ParameterizedTest
  @EnumSource
  void load_insideTheFolder_usesTheData(Place place) throws Exception {
    assertThat(weights(ExternalData.model(place, "w.bin", "0", "16"))).containsExactly(1, 2, 3, 4);
    assertThat(weights(ExternalData.model(place, "sub/w.bin", "8", "16")))
        .containsExactly(5, 6, 7, 8);
  }

  static Stream<String> escapes() {
    return Stream.of(
        "../../secret.bin",
        "../../../../../../../../etc/passwd",
        "/etc/passwd",
        "sub/../../../secret.bin",
        "sub/../w.bin",
        "..",
        "..\\..\\secret.bin",
        "*/_ORT_MEM_ADDR_/*",
        "");
  }

  @ParameterizedTest
  @MethodSource("escapes")
  void load_outsideTheFolder_isRefusedWhereverTheReferenceStands(String location) {
    for (Place place : Place.values()) {
      assertFailure(ExternalData.model(place, location, "0", "16")).contains("\"w\"", OUTSIDE);
    }
  }

  @Test
  void load_fileNamedLikeTheRuntimesMemory_isRefused() throws Exception {
    Files.createDirectories(folder.resolve("*/_ORT_MEM_ADDR_"));
    Files.write(folder.resolve("*/_ORT_MEM_ADDR_/*"), ExternalData.file(1, 2, 3, 4));
    assertFailure(ExternalData.model(Place.INITIALIZER, "*/_ORT_MEM_ADDR_/*", "0", "16"))
        .contains(OUTSIDE);
  }

  @Test
  void load_linkThatLeavesTheFolder_isRefused() throws Exception {
    Files.createSymbolicLink(folder.resolve("link.bin"), repository.resolve("secret.bin"));
    Files.createSymbolicLink(folder.resolve("up"), repository);
    assertFailure(ExternalData.model(Place.INITIALIZER, "link.bin", "0", "16")).contains(OUTSIDE);
    assertFailure(ExternalData.model(Place.INITIALIZER, "up/secret.bin", "0", "16"))
        .contains(OUTSIDE);
  }

  @Test
  void load_linkInsideTheFolder_isFollowed() throws Exception {
    Files.createSymbolicLink(folder.resolve("link.bin"), folder.resolve("w.bin"));
    assertThat(weights(ExternalData.model(Place.INITIALIZER, "link.bin", "0", "16")))
        .containsExactly(1, 2, 3, 4);
  }

  @ParameterizedTest
  @CsvSource({"missing.bin", "sub", "w.bin\0x"})
  void load_noSuchFile_isRefused(String location) {
    assertFailure(ExternalData.model(Place.INITIALIZER, location, "0", "16"))
        .containsAnyOf("is missing (expected: a file beside the model)", OUTSIDE);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 16, offset",
    "0, -16, length",
    "0, 17, up to byte 17",
    "4, 16, up to byte 20",
    "9223372036854775807, 1, offset",
    "4611686018427387903, 4611686018427387903, up to byte 9223372036854775806",
    "9223372036854775808, 1, offset",
    "0, 1e1, length",
    "0x0, 16, offset",
    "'', 16, offset"
  })
  void load_offsetAndLength_mustLieInTheFile(String offset, String length, String named) {
    for (Place place : Place.values()) {
      assertFailure(ExternalData.model(place, "w.bin", offset, length)).contains("\"w\"", named);
    }
  }

  @Test
  void load_noLocation_isRefused() {
    assertFailure(ExternalData.model(Place.INITIALIZER, Map.of()))
        .isEqualTo(
            "model.onnx: external data of \"w\": no location (expected: a file beside the model)");
  }

  private float[] weights(byte[] onnx) throws Exception {
    Path file = ModelFolder.write(repository, "model", 1, onnx);
    try (LoadedModel model = backend.load(file, Models.CPU)) {
      return Models.run(model, "x", Tensor.ofFloats(Shape.of(1, 4), 0, 0, 0, 0)).toFloats();
    }
  }

  private AbstractStringAssert<?> assertFailure(byte[] onnx) {
    Path file = ModelFolder.write(repository, "model", 1, onnx);
    return assertThatThrownBy(() -> backend.load(file, Models.CPU))
        .isInstanceOf(ModelLoadException.class)
        .message()
        .startsWith("model.onnx: ")
        .doesNotContain("\n");
  }
}
