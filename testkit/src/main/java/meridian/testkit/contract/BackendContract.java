package meridian.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static meridian.testkit.contract.Samples.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import meridian.core.backend.Backend;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.testkit.graph.FaultyGraphs;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Backend} that reads ONNX keeps to. */
public abstract class BackendContract {

  private static final ExecutionSettings SETTINGS = new ExecutionSettings(List.of(), 1);
  private static final long HOURS = 36_000_000 * Graphs.SLOW_ITERATIONS_PER_MILLI;

  @TempDir Path repository;

  private Backend backend;

  /** A new back end; the contract closes it. */
  protected abstract Backend open();

  @BeforeEach
  final void openBackend() {
    backend = open();
  }

  @AfterEach
  final void closeBackend() {
    backend.close();
  }

  @ParameterizedTest
  @EnumSource
  final void identity_everyTypeOnAndOffHeap_givesTheSameBytes(DataType type) throws Exception {
    Random random = new Random(type.ordinal());
    try (LoadedModel model = load(Graphs.identity(type));
        Arena arena = Arena.ofConfined()) {
      for (Shape shape : List.of(Shape.of(1, 1), Shape.of(3, 5), Shape.of(64, 7))) {
        Tensor input = Samples.random(type, shape, random);
        assertThat(only(model, "INPUT0", input)).satisfies(output -> assertSame(output, input));
        assertThat(only(model, "INPUT0", Rows.copy(input, arena)))
            .satisfies(output -> assertSame(output, input));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  final void identity_noElements_givesNone(DataType type) throws Exception {
    try (LoadedModel model = load(Graphs.identity(type))) {
      for (Shape shape : List.of(Shape.of(0, 3), Shape.of(2, 0), Shape.of(0, 0))) {
        Tensor input = Samples.random(type, shape, new Random(0));
        assertThat(only(model, "INPUT0", input)).satisfies(output -> assertSame(output, input));
      }
    }
  }

  @Test
  final void signature_graphWithRows_isTheGraphsAndBatched() throws Exception {
    try (LoadedModel model = load(Graphs.add2())) {
      assertThat(model.signature().inputs())
          .containsExactly(
              TensorSpec.of("INPUT0", DataType.FP32, -1, 16),
              TensorSpec.of("INPUT1", DataType.FP32, -1, 16));
      assertThat(model.signature().outputs())
          .containsExactly(
              TensorSpec.of("OUTPUT0", DataType.FP32, -1, 16),
              TensorSpec.of("OUTPUT1", DataType.FP32, -1, 16));
      assertThat(model.signature().batched()).isTrue();
    }
  }

  @Test
  final void signature_graphsWithoutRows_areNotBatched() throws Exception {
    for (byte[] graph :
        List.of(Graphs.scalar(), Graphs.batchReduce(), Graphs.fixedBatch1(), Graphs.filter())) {
      try (LoadedModel model = load(graph)) {
        assertThat(model.signature().batched()).isFalse();
      }
    }
  }

  @Test
  final void scalar_rankZero_staysRankZero() throws Exception {
    try (LoadedModel model = load(Graphs.scalar())) {
      assertThat(model.signature().inputs()).containsExactly(TensorSpec.of("x", DataType.FP32));
      Tensor output = only(model, "x", Tensor.ofFloats(Shape.SCALAR, 3));
      assertThat(output.shape()).isEqualTo(Shape.SCALAR);
      assertThat(output.toFloats()).containsExactly(6);
    }
  }

  @Test
  final void filter_nothingAbove_givesZeroRows() throws Exception {
    try (LoadedModel model = load(Graphs.filter())) {
      List<NamedTensor> inputs =
          List.of(
              named("x", Tensor.ofFloats(Shape.of(2, 4), 1, 2, 3, 4, 5, 6, 7, 8)),
              named("threshold", Tensor.ofFloats(Shape.of(1), 9)));
      Tensor output = model.run(inputs, Set.of("kept")).getFirst().tensor();
      assertThat(output.shape()).isEqualTo(Shape.of(0, 4));
    }
  }

  @Test
  final void run_someOutputs_givesThoseInSignatureOrder() throws Exception {
    Random random = new Random(2);
    List<NamedTensor> inputs =
        List.of(
            named("INPUT1", Samples.floats(random, 2, 16)),
            named("INPUT0", Samples.floats(random, 2, 16)));
    try (LoadedModel model = load(Graphs.add2())) {
      List<NamedTensor> all = model.run(inputs, Set.of("OUTPUT1", "OUTPUT0"));
      assertThat(all).extracting(NamedTensor::name).containsExactly("OUTPUT0", "OUTPUT1");
      List<NamedTensor> one = model.run(inputs, Set.of("OUTPUT1"));
      assertThat(one).extracting(NamedTensor::name).containsExactly("OUTPUT1");
      assertSame(one.getFirst().tensor(), all.getLast().tensor());
    }
  }

  @Test
  final void run_inputMemoryClosedAfter_leavesTheOutput() throws Exception {
    try (LoadedModel model = load(Graphs.identity(DataType.FP32))) {
      Tensor expected = Samples.floats(new Random(3), 4, 4);
      Tensor output;
      try (Arena arena = Arena.ofConfined()) {
        output = only(model, "INPUT0", Rows.copy(expected, arena));
      }
      assertSame(output, expected);
    }
  }

  @Test
  final void run_badInput_failsAloneWithAReason() throws Exception {
    try (LoadedModel model = load(Graphs.gather())) {
      for (int round = 0; round < 100; round++) {
        assertThatThrownBy(() -> only(model, "ids", Tensor.ofLongs(Shape.of(2), 1, 100)))
            .isInstanceOf(ExecutionException.class)
            .message()
            .contains("100")
            .doesNotContain("\n", "/");
        assertThat(only(model, "ids", Tensor.ofLongs(Shape.of(1), 7)).toFloats())
            .containsExactly(70, 71, 72, 73);
      }
    }
  }

  @Test
  final void run_manyThreads_everyOneGetsItsOwn() throws Exception {
    int threads = 4;
    try (LoadedModel model = load(Graphs.linear());
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> runs = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Random random = new Random(thread);
        runs.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    assertLinear(model, Samples.floats(random, random.nextInt(1, 9), 4));
                  }
                  return null;
                }));
      }
      for (Future<?> run : runs) {
        run.get(60, SECONDS);
      }
    }
  }

  @Test
  final void run_severalThreadsInside_givesTheSame() throws Exception {
    try (LoadedModel model =
        backend.load(write(Graphs.linear()), new ExecutionSettings(List.of(), 2))) {
      assertLinear(model, Samples.floats(new Random(5), 300, 4));
    }
  }

  @Test
  final void run_afterClose_throws() throws Exception {
    LoadedModel model = load(Graphs.linear());
    model.close();
    assertThatThrownBy(() -> only(model, "x", Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  final void load_sameFileAgain_givesIndependentModels() throws Exception {
    Path file = write(Graphs.version(1));
    LoadedModel first = backend.load(file, SETTINGS);
    ModelFolder.write(repository, "model", 1, Graphs.version(2));
    try (LoadedModel second = backend.load(file, SETTINGS)) {
      Tensor x = Tensor.ofFloats(Shape.of(1, 1), 0);
      assertThat(only(first, "x", x).toLongs()).containsExactly(1);
      first.close();
      assertThat(only(second, "x", x).toLongs()).containsExactly(2);
    }
  }

  @Test
  final void load_noSuchFile_saysSo() {
    assertThatThrownBy(() -> backend.load(repository.resolve("model.onnx"), SETTINGS))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageContaining("model.onnx");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.2, 0.5, 0.9, 0.99})
  final void load_truncated_saysSo(double share) {
    assertDoesNotLoad(FaultyGraphs.truncated(Graphs.linear(), share));
  }

  @Test
  final void load_graphsNoOneCanServe_failEachTimeAndLeaveTheBackendUsable() throws Exception {
    for (int round = 0; round < 3; round++) {
      assertDoesNotLoad(FaultyGraphs.opset99());
      assertDoesNotLoad(FaultyGraphs.irVersion99());
      assertDoesNotLoad(FaultyGraphs.unknownDomain());
      assertDoesNotLoad(FaultyGraphs.unknownOperator());
      assertDoesNotLoad(FaultyGraphs.danglingInput());
      assertDoesNotLoad(FaultyGraphs.contradictoryTypes());
      assertDoesNotLoad("no model at all".getBytes(StandardCharsets.UTF_8));
    }
    try (LoadedModel model = load(Graphs.linear())) {
      assertLinear(model, Samples.floats(new Random(7), 2, 4));
    }
  }

  @Test
  final void load_unknownProvider_namesIt() {
    ExecutionProvider provider = new ExecutionProvider("abacus", Map.of());
    Path file = write(Graphs.linear());
    assertThatThrownBy(() -> backend.load(file, new ExecutionSettings(List.of(provider), 1)))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageContaining("abacus");
  }

  @Test
  void run_toldToStop_endsEarlyAndTheModelGoesOn() throws Exception {
    try (LoadedModel model = load(Graphs.slow())) {
      Cancellation stop = new Cancellation();
      FutureTask<List<NamedTensor>> run =
          new FutureTask<>(() -> model.run(iterations(HOURS), Set.of("done"), stop));
      Thread.ofPlatform().start(run);
      stop.cancel();

      assertThatThrownBy(() -> run.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(ExecutionException.class);
      assertThat(model.run(iterations(1), Set.of("done"))).hasSize(1);
    }
  }

  @Test
  void run_stopAfterTheEnd_changesNothing() throws Exception {
    try (LoadedModel model = load(Graphs.slow())) {
      Cancellation stop = new Cancellation();
      assertThat(model.run(iterations(1), Set.of("done"), stop)).hasSize(1);
      stop.cancel();
      assertThat(model.run(iterations(1), Set.of("done"))).hasSize(1);
    }
  }

  private static List<NamedTensor> iterations(long count) {
    return List.of(named("iterations", Tensor.ofLongs(Shape.of(1, 1), count)));
  }

  private LoadedModel load(byte[] onnx) throws ModelLoadException {
    return backend.load(write(onnx), SETTINGS);
  }

  private Path write(byte[] onnx) {
    return ModelFolder.write(repository, "model", 1, onnx);
  }

  private void assertDoesNotLoad(byte[] onnx) {
    assertThatThrownBy(() -> load(onnx))
        .isInstanceOf(ModelLoadException.class)
        .message()
        .contains("model.onnx: ")
        .doesNotContain("\n", repository.toString());
  }

  private static Tensor only(LoadedModel model, String input, Tensor tensor)
      throws ExecutionException {
    String output = model.signature().outputs().getFirst().name();
    return model.run(List.of(named(input, tensor)), Set.of(output)).getFirst().tensor();
  }

  private static void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.type()).isEqualTo(expected.type());
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.data().toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(expected.data().toArray(ValueLayout.JAVA_BYTE));
  }

  private static void assertLinear(LoadedModel model, Tensor x) throws ExecutionException {
    assertThat(only(model, "x", x).toFloats()).containsExactly(Expected.linear(x.toFloats()));
  }
}
