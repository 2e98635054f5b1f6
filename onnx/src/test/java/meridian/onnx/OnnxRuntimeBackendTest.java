package meridian.onnx;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.testkit.graph.FaultyGraphs;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.RowGraphs;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxRuntimeBackendTest {

  private final OnnxRuntimeBackend backend = OnnxRuntimeBackend.open();

  @TempDir Path repository;

  @AfterEach
  void closeBackend() {
    backend.close();
  }

  @Test
  void load_opsetNewerThanTheRuntime_saysWhichItKnows() {
    assertFailure(FaultyGraphs.opset99())
        .matches(
            "model.onnx: opset: 99 of ai.onnx \\(expected: \\d+ or lower, the highest that ONNX"
                + " Runtime [0-9.]+ knows\\); export the model for a lower opset");
  }

  @Test
  void load_irVersionNewerThanTheRuntime_saysWhichItKnows() {
    assertFailure(FaultyGraphs.irVersion99())
        .matches("model.onnx: ir_version: 99 \\(expected: \\d+ or lower, the highest .*");
  }

  @Test
  void load_unknownOperators_namesThem() {
    assertFailure(FaultyGraphs.unknownDomain())
        .startsWith("model.onnx: operator: com.example:Frobnicate (expected: one that ONNX");
    assertFailure(FaultyGraphs.unknownContribOperator())
        .startsWith("model.onnx: operator: com.microsoft:Frobnicate (expected: one that ONNX");
    assertFailure(FaultyGraphs.unknownOperator())
        .startsWith("model.onnx: operator: Frobnicate of opset 17 (expected: one that ONNX");
  }

  @Test
  void load_missingEmptyAndForeignFiles_eachHasItsReason() throws Exception {
    Path file = repository.resolve("model.onnx");
    assertFailure(file).isEqualTo("model.onnx: missing (expected: an ONNX file)");
    Files.createDirectory(file);
    assertFailure(file).isEqualTo("model.onnx: no regular file (expected: an ONNX file)");
    assertFailure(new byte[0]).isEqualTo("model.onnx: empty (expected: an ONNX file)");
    assertFailure(new byte[] {8, 8})
        .isEqualTo("model.onnx: no graph in it (expected: an ONNX model)");
    assertFailure(FaultyGraphs.truncated(Graphs.linear(), 0.7))
        .startsWith("model.onnx: truncated or corrupt (expected: a whole ONNX file)");
  }

  @Test
  void load_onlySequencesGiven_fails() {
    assertFailure(FaultyGraphs.sequenceOutput())
        .isEqualTo(
            "model.onnx: outputs.parts: sequence (expected: a tensor of a type that the protocol"
                + " has)");
  }

  @Test
  void load_sequenceBesideATensor_isLeftOutAndNamed() throws Exception {
    try (LoadedModel model = load(Graphs.tensorAndSequence())) {
      assertThat(model.signature().outputs())
          .containsExactly(TensorSpec.of("y", DataType.FP32, -1, 4));
      assertThat(model.properties()).containsEntry("omitted_outputs", "parts");
      Tensor x = Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4);
      assertThat(Models.run(model, "x", x).toFloats()).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void load_differentNamesForTheFirstDimension_areNotRows() throws Exception {
    try (LoadedModel model = load(RowGraphs.scores())) {
      assertThat(model.signature().batched()).isFalse();
    }
  }

  @Test
  void properties_goodModel_sayWhatItIs() throws Exception {
    try (LoadedModel model = load(Graphs.linear())) {
      assertThat(model.properties())
          .containsEntry("ir_version", "8")
          .containsEntry("opset", "ai.onnx 17")
          .containsEntry("producer", "meridian-testkit")
          .containsEntry("providers", "cpu")
          .hasEntrySatisfying("runtime", text -> assertThat(text).startsWith("ONNX Runtime 1."));
    }
  }

  @Test
  void providers_thatThisBuildLacks_areRefusedWithThoseItHas() {
    assertThat(backend.availableProviders()).contains("cpu");
    for (String name : List.of("tensorrt", "rocm", "abacus", "CPU")) {
      assertFailure(Models.on(name, "cpu"))
          .startsWith("execution: " + name + " (expected: one of [")
          .contains("cpu")
          .contains("which this build of ONNX Runtime");
    }
  }

  @Test
  void providers_cpu_mustBeLastAndHasNoOptions() {
    assertFailure(Models.on("cpu", "cuda"))
        .isEqualTo("execution: cpu before others (expected: cpu last, since it runs everything)");
    ExecutionProvider tuned = new ExecutionProvider("cpu", Map.of("arena", "off"));
    assertFailure(new ExecutionSettings(List.of(tuned), 1))
        .isEqualTo("execution.cpu: [arena] (expected: no options)");
  }

  @Test
  void close_runUnderWay_throwsAndLeavesTheModelRunning() throws Exception {
    LoadedModel model = load(Graphs.slow());
    Tensor iterations = Tensor.ofLongs(Shape.of(1, 1), 500 * Graphs.SLOW_ITERATIONS_PER_MILLI);
    CountDownLatch begun = new CountDownLatch(1);
    // The run reads its inputs only once it counts as under way.
    List<NamedTensor> inputs =
        new AbstractList<>() {
          @Override
          public NamedTensor get(int index) {
            begun.countDown();
            return new NamedTensor("iterations", iterations);
          }

          @Override
          public int size() {
            return 1;
          }
        };
    FutureTask<List<NamedTensor>> run = new FutureTask<>(() -> model.run(inputs, Set.of("done")));
    Thread.ofPlatform().start(run);
    assertThat(begun.await(60, SECONDS)).isTrue();
    assertThatThrownBy(model::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("runs under way: 1 (expected: 0 to close)");
    assertThat(run.get(60, SECONDS).getFirst().tensor().toLongs())
        .containsExactly(iterations.toLongs());
    model.close();
  }

  @Test
  void close_twice_isOnce() throws Exception {
    LoadedModel model = load(Graphs.linear());
    model.close();
    model.close();
  }

  @Test
  void closedBackend_loadedModel_staysUsable() throws Exception {
    OnnxRuntimeBackend other = OnnxRuntimeBackend.open();
    LoadedModel model =
        other.load(ModelFolder.write(repository, "model", 1, Graphs.scalar()), Models.CPU);
    other.close();
    other.close();
    try (model) {
      Tensor y = Models.run(model, "x", Tensor.ofFloats(Shape.SCALAR, 4));
      assertThat(y.toFloats()).containsExactly(8);
    }
    assertThatThrownBy(() -> other.load(repository.resolve("model.onnx"), Models.CPU))
        .isInstanceOf(IllegalStateException.class);
  }

  private LoadedModel load(byte[] onnx) throws ModelLoadException {
    return backend.load(ModelFolder.write(repository, "model", 1, onnx), Models.CPU);
  }

  private AbstractStringAssert<?> assertFailure(byte[] onnx) {
    return assertFailure(ModelFolder.write(repository, "faulty", 1, onnx));
  }

  private AbstractStringAssert<?> assertFailure(Path file) {
    return assertThatThrownBy(() -> backend.load(file, Models.CPU))
        .isInstanceOf(ModelLoadException.class)
        .message();
  }

  private AbstractStringAssert<?> assertFailure(ExecutionSettings settings) {
    Path file = ModelFolder.write(repository, "model", 1, Graphs.linear());
    return assertThatThrownBy(() -> backend.load(file, settings))
        .isInstanceOf(ModelLoadException.class)
        .message();
  }
}
