package meridian.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import meridian.core.backend.LoadedModel;
import meridian.core.tensor.DataType;
import meridian.testkit.graph.Graphs;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SteadyModelTest {

  @TempDir Path folder;

  static Stream<Named<byte[]>> steady() {
    return Stream.of(
        Named.of("elements", Graphs.add2()),
        Named.of("product", Graphs.linear()),
        Named.of("rows of a table", Graphs.gather()),
        Named.of("a constant shape", Graphs.pairs()));
  }

  static Stream<Named<byte[]>> unsteady() {
    return Stream.of(
        Named.of("as many rounds as an input says", Graphs.slow()),
        Named.of("as many rows as values are large", Graphs.filter()),
        Named.of("a shape that an input gives", Graphs.shaped()),
        Named.of("a computed shape", Graphs.batchSize()),
        Named.of("texts", Graphs.identity(DataType.BYTES)),
        Named.of("sequences", Graphs.tensorAndSequence()));
  }

  @ParameterizedTest
  @MethodSource("steady")
  void load_timeFollowsFromShapes_isSteady(byte[] graph) throws Exception {
    assertThat(isSteady(graph)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("unsteady")
  void load_timeFollowsFromValues_isNotSteady(byte[] graph) throws Exception {
    assertThat(isSteady(graph)).isFalse();
  }

  private boolean isSteady(byte[] graph) throws Exception {
    Path file = Files.write(folder.resolve("model.onnx"), graph);
    try (OnnxRuntimeBackend backend = OnnxRuntimeBackend.open();
        LoadedModel model = backend.load(file, Models.CPU)) {
      return model.steady();
    }
  }
}
