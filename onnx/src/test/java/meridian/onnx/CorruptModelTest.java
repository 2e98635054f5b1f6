package meridian.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.testkit.graph.ExternalData;
import meridian.testkit.graph.ExternalData.Place;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.RowGraphs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash of ONNX Runtime would end the process, and this test with it. */
class CorruptModelTest {

  private static final List<byte[]> MODELS =
      List.of(
          Graphs.linear(),
          Graphs.gather(),
          Graphs.slow(),
          RowGraphs.tensorWiseQuantized(),
          ExternalData.model(Place.SUBGRAPH, "w.bin", "0", "16"),
          ExternalData.model(Place.FUNCTION, "w.bin", "0", "16"),
          ExternalData.model(Place.SPARSE_INITIALIZER, "w.bin", "0", "16"));

  private final OnnxRuntimeBackend backend = OnnxRuntimeBackend.open();

  @TempDir Path repository;

  @AfterEach
  void closeBackend() {
    backend.close();
  }

  @Test
  void load_anyBytesChanged_loadsOrSaysWhyOnOneLine() throws Exception {
    Random random = new Random(1);
    int failed = 0;
    for (int i = 0; i < 400; i++) {
      byte[] model = MODELS.get(i % MODELS.size()).clone();
      for (int changes = random.nextInt(1, 5); changes > 0; changes--) {
        model[random.nextInt(model.length)] ^= (byte) (1 << random.nextInt(8));
      }
      failed += loads(model) ? 0 : 1;
    }
    assertThat(failed).isBetween(100, 399);
  }

  @Test
  void load_cutAnywhere_saysWhyOnOneLine() throws Exception {
    byte[] model = Graphs.linear();
    for (int length = 0; length < model.length; length++) {
      loads(Arrays.copyOf(model, length));
    }
  }

  private boolean loads(byte[] onnx) throws Exception {
    Path file = ModelFolder.write(repository, "model", 1, onnx);
    Files.write(file.resolveSibling("w.bin"), ExternalData.file(1, 2, 3, 4));
    try (LoadedModel model = backend.load(file, Models.CPU)) {
      assertThat(model.signature().outputs()).isNotEmpty();
      return true;
    } catch (ModelLoadException e) {
      assertThat(e.getMessage())
          .startsWith("model.onnx: ")
          .doesNotContain("\n", repository.toString(), "onnxruntime/core");
      return false;
    }
  }
}
