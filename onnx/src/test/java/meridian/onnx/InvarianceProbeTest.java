package meridian.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import meridian.core.backend.Invariance;
import meridian.core.backend.InvarianceProbe;
import meridian.core.backend.InvarianceProbe.Padding;
import meridian.core.backend.LoadedModel;
import meridian.core.tensor.DataType;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.RowGraphs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InvarianceProbeTest {

  private final OnnxRuntimeBackend backend = OnnxRuntimeBackend.open();

  @TempDir Path repository;

  @AfterEach
  void closeBackend() {
    backend.close();
  }

  @ParameterizedTest
  @EnumSource
  void measure_identity_isInvariant(DataType type) throws Exception {
    assertThat(measure(Graphs.identity(type), Padding.NONE)).isEqualTo(new Invariance(true, 0, ""));
  }

  @Test
  void measure_independentRows_isInvariant() throws Exception {
    for (byte[] graph :
        List.of(
            Graphs.linear(),
            Graphs.add2(),
            Graphs.gather(),
            Graphs.div(),
            Graphs.version(3),
            RowGraphs.rowWiseQuantized())) {
      assertThat(measure(graph, Padding.NONE).reason()).isEmpty();
    }
  }

  @Test
  void measure_oneScaleForTheWholeTensor_isNotInvariant() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      Invariance invariance = measure(RowGraphs.tensorWiseQuantized(), Padding.NONE, seed);
      assertThat(invariance.invariant()).isFalse();
      assertThat(invariance.largestDeviation()).isBetween(1e-3, 1.0);
      assertThat(invariance.reason()).startsWith("output \"y\": deviates by ");
    }
  }

  @Test
  void measure_rowsCounted_isNotInvariant() throws Exception {
    assertThat(measure(Graphs.batchSize(), Padding.NONE).reason())
        .startsWith("output \"size\": deviates by 1.0 in a batch");
  }

  @Test
  void measure_noRows_isUnknown() throws Exception {
    Invariance invariance = measure(Graphs.batchReduce(), Padding.NONE);
    assertThat(invariance.invariant()).isFalse();
    assertThat(invariance.largestDeviation()).isNaN();
    assertThat(invariance.reason()).isEqualTo("the first dimension does not count rows");
  }

  @Test
  void measure_rowsThatComeAndGo_isNotInvariant() throws Exception {
    assertThat(measure(RowGraphs.positive(), Padding.NONE).reason())
        .startsWith("output \"kept\": shape ")
        .endsWith(" for 4 rows");
  }

  @Test
  void measure_nothingTheModelAccepts_isUnknownWithItsReason() throws Exception {
    assertThat(measure(RowGraphs.distantIds(), Padding.NONE).reason())
        .startsWith("no random input that the model accepts: Gather");
  }

  @Test
  void measure_padding_tellsMaskedFromUnmasked() throws Exception {
    assertThat(measure(RowGraphs.softmax(), Padding.NONE).invariant()).isTrue();
    Invariance padded = measure(RowGraphs.softmax(), new Padding(Map.of("x", 0L)));
    assertThat(padded.reason()).contains("padded");
    assertThat(measure(Graphs.identity(DataType.FP32), new Padding(Map.of("INPUT0", 0L))))
        .isEqualTo(new Invariance(true, 0, ""));
  }

  private Invariance measure(byte[] graph, Padding padding) throws Exception {
    return measure(graph, padding, 1);
  }

  private Invariance measure(byte[] graph, Padding padding, long seed) throws Exception {
    Path file = ModelFolder.write(repository, "model", 1, graph);
    try (LoadedModel model = backend.load(file, Models.CPU)) {
      return InvarianceProbe.measure(model, padding, new SplittableRandom(seed));
    }
  }
}
