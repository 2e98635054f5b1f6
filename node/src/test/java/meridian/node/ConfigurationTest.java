package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.infer.InferRequest;
import meridian.core.infer.RequestedOutput;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelState;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.FaultyGraphs;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationTest {

  private static final Tensor FOUR = Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4);

  @TempDir Path root;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "frobnicate: 1|config.pbtxt:1: frobnicate: unknown field",
        "max_batch_size: ${max}|config.pbtxt:1: max_batch_size: ",
        "max_batch_size: \"8\"|config.pbtxt:1: max_batch_size: ",
        "max_batch_size: 8 max_batch_size: 8|config.pbtxt:1: max_batch_size: ",
        "name: \"other\"|config.pbtxt: name: \"other\" (expected: \"bad\", the folder's name)",
        "platform: \"tensorrt_plan\"|config.pbtxt: platform: \"tensorrt_plan\" (expected: \"onnx",
        "backend: \"python\"|config.pbtxt: backend: \"python\" (expected: \"onnxruntime\"",
        "max_batch_size: -1|config.pbtxt: max_batch_size: -1 (expected: 0 or more)"
      })
  void load_badConfigPbtxt_failsThatModelOnlyWithFileLineAndField(String pbtxt, String reason) {
    ModelFolder.write(root, "good", 1, Graphs.linear());
    write("bad", "config.pbtxt", pbtxt);
    ModelFolder.write(root, "bad", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("bad", "1").reason()).startsWith(reason);
      assertThat(node.state("bad", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.state("good", "1")).isEqualTo(ModelState.READY);
      assertThat(problem(node.load("bad")).message()).contains(reason);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{z: [1]}|warmup.shapes.z: unknown (expected: one of [x])",
        "{x: [1, 1]}|warmup.shapes.x: [1,1] (expected: [1], without the rows)",
        "{x: [5]}|warmup.shapes.x: [5] (expected: [1], without the rows)"
      })
  void warmUp_shapeThatFitsNoInput_isRefused(String shapes, String message) throws IOException {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    write("m", "model.yaml", "warmup: {shapes: " + shapes + "}");
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("m", "1").reason()).isEqualTo(message);
    }
  }

  @Test
  void load_configPbtxtCorrected_isTakenUpByThePoll() {
    write("m", "config.pbtxt", "max_batch_size: ${max}");
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.node.ready()).isFalse();

      write("m", "config.pbtxt", "\uFEFFmax_batch_size: 16\r\noptimization { }\r\n");
      node.poll();

      assertThat(node.state("m", "1")).isEqualTo(ModelState.READY);
      assertThat(configuration(node, "m").maxBatchSize()).isEqualTo(16);
      assertThat(node.node.ready()).isTrue();
    }
  }

  @Test
  void load_faultyGraphs_areUnavailableWithAReasonAndTheServerIsUp() {
    ModelFolder.write(root, "opset", 1, FaultyGraphs.opset99());
    ModelFolder.write(root, "ir", 1, FaultyGraphs.irVersion99());
    ModelFolder.write(root, "domain", 1, FaultyGraphs.unknownDomain());
    ModelFolder.write(root, "contrib", 1, FaultyGraphs.unknownContribOperator());
    ModelFolder.write(root, "good", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      for (String name : List.of("opset", "ir", "domain", "contrib")) {
        assertThat(node.state(name, "1")).isEqualTo(ModelState.UNAVAILABLE);
        assertThat(node.status(name, "1").reason()).isNotBlank();
      }
      assertThat(node.output("good", "x", FOUR).shape()).isEqualTo(Shape.of(1, 3));
      assertThat(node.node.ready()).isFalse();
    }
  }

  @Test
  void load_configAgainstGraph_tellsEveryDifferenceAtOnce() {
    write(
        "m",
        "config.pbtxt",
        """
        max_batch_size: 8
        input [ { name: "INPUT0" data_type: TYPE_FP16 dims: [ 17 ] } ]
        output [ { name: "SUM" data_type: TYPE_FP32 dims: [ 16 ] } ]
        """);
    ModelFolder.write(root, "m", 1, Graphs.add2());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("m", "1").reason())
          .contains("input[0].data_type: FP16 for \"INPUT0\" (expected: FP32 as in the graph)")
          .contains("input[0].dims: [-1,17] for \"INPUT0\" (expected: [-1,16] as in the graph)")
          .contains("input: \"INPUT1\" of the graph is missing")
          .contains(
              "output[0].name: \"SUM\" (expected: one of the graph's outputs [OUTPUT0, OUTPUT1])");
    }
  }

  @Test
  void load_batchSizeOnGraphsThatCannotBatch_isRefusedWithTheReason() {
    write("reduce", "config.pbtxt", "max_batch_size: 8 dynamic_batching { }");
    ModelFolder.write(root, "reduce", 1, Graphs.batchReduce());
    write("fixed", "model.yaml", "batching: {max_rows: 8}");
    ModelFolder.write(root, "fixed", 1, Graphs.fixedBatch1());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("reduce", "1").reason())
          .contains("max_batch_size: 8 on a graph that cannot batch: \"sum\" is [4]");
      assertThat(node.status("fixed", "1").reason())
          .contains("batching.max_rows: 8 on a graph that cannot batch: \"x\" is [1,4], \"y\" is");
    }
  }

  @Test
  void load_graphsThatCannotBatchWithoutConfiguration_areServedOneByOne() {
    ModelFolder.write(root, "reduce", 1, Graphs.batchReduce());
    ModelFolder.write(root, "fixed", 1, Graphs.fixedBatch1());
    ModelFolder.write(root, "scalar", 1, Graphs.scalar());
    try (TestNode node = TestNode.start(root)) {
      assertThat(
              node.output("reduce", "x", Tensor.ofFloats(Shape.of(2, 4), 1, 2, 3, 4, 5, 6, 7, 8))
                  .toFloats())
          .containsExactly(6, 8, 10, 12);
      assertThat(node.output("fixed", "x", FOUR).toFloats()).containsExactly(2, 4, 6, 8);
      assertThat(node.output("scalar", "x", Tensor.ofFloats(Shape.SCALAR, 3)).toFloats())
          .containsExactly(6);
      assertThat(configuration(node, "scalar").maxBatchSize()).isZero();
      assertThat(configuration(node, "scalar").inputs())
          .containsExactly(TensorSpec.of("x", DataType.FP32));
    }
  }

  @Test
  void configuration_nothingDeclared_isDerivedFromTheGraph() {
    ModelFolder.write(root, "m", 3, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      ModelConfiguration configuration = configuration(node, "m");

      assertThat(configuration.platform()).isEqualTo("onnxruntime_onnx");
      assertThat(configuration.backend()).isEqualTo("onnxruntime");
      assertThat(configuration.maxBatchSize()).isEqualTo(64);
      assertThat(configuration.inputs()).containsExactly(TensorSpec.of("x", DataType.FP32, 4));
      assertThat(configuration.outputs()).containsExactly(TensorSpec.of("y", DataType.FP32, 3));
      assertThat(configuration.versionPolicy()).isEqualTo(new VersionPolicy.Latest(1));
      assertThat(configuration.defaultModelFilename()).isEqualTo("model.onnx");
      assertThat(configuration.instances()).isEqualTo(2);
    }
  }

  @Test
  void configuration_yamlOverPbtxt_yamlWins() {
    write("m", "config.pbtxt", "max_batch_size: 16 default_model_filename: \"other.onnx\"");
    write("m", "model.yaml", "batching: {max_rows: 4}");
    write("m", "1/other.onnx", Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(configuration(node, "m").maxBatchSize()).isEqualTo(4);
      assertThat(configuration(node, "m").defaultModelFilename()).isEqualTo("other.onnx");
    }
  }

  @Test
  void describe_loadedVersion_tellsWhatIsKnown() {
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(((Outcome.Ok<?>) node.node.describe("m", null)).value())
          .hasToString(((Outcome.Ok<?>) node.node.describe("m", "1")).value().toString());
      assertThat(node.properties("m"))
          .containsEntry("batch_invariant", "true")
          .containsEntry("batching", "mixed")
          .containsEntry("max_rows", "64")
          .containsEntry("warm_rows", "[1, 2, 4, 8, 16, 32, 64]")
          .containsKey("largest_deviation");
    }
  }

  @Test
  void versions_allAndSpecific_areServedSideBySide() {
    write("all", "model.yaml", "versions: all");
    write("some", "config.pbtxt", "version_policy: { specific: { versions: [1, 3] } }");
    for (String name : List.of("all", "some")) {
      for (long number = 1; number <= 3; number++) {
        ModelFolder.write(root, name, number, Graphs.version(number));
      }
    }
    Tensor row = Tensor.ofFloats(Shape.of(1, 1), 0);
    try (TestNode node = TestNode.start(root)) {
      for (String version : List.of("1", "2", "3")) {
        assertThat(node.outputOf("all", version, "x", row).toLongs())
            .containsExactly(Long.parseLong(version));
      }
      assertThat(node.output("some", "x", row).toLongs()).containsExactly(3);
      assertThat(node.outputOf("some", "1", "x", row).toLongs()).containsExactly(1);
      assertThat(node.state("some", "2")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(problem(node.node.describe("some", "2")).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void versions_specificThatAreNotThere_keepWhatServesAndSayWhy() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      write("m", "model.yaml", "versions: [7]");
      node.poll();

      assertThat(node.state("m", "1")).isEqualTo(ModelState.READY);
      assertThat(node.status("m", "1").reason()).contains("versions: [7] (expected: one of [1])");
    }
  }

  @Test
  void load_withConfig_replacesConfigPbtxtUntilLoadedWithout() {
    write("m", "config.pbtxt", "max_batch_size: 16");
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(load(node, "m", "{\"max_batch_size\": 2}", Map.of()))
          .isInstanceOf(Outcome.Ok.class);
      assertThat(configuration(node, "m").maxBatchSize()).isEqualTo(2);
      node.poll();
      assertThat(configuration(node, "m").maxBatchSize()).isEqualTo(2);

      Outcome<?> refused = load(node, "m", "{\"max_batch\": 2}", Map.of());
      assertThat(problem(refused).message())
          .contains("parameters.config.max_batch: unknown field (expected: max_batch_size?)");
      assertThat(configuration(node, "m").maxBatchSize()).isEqualTo(2);

      assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
      assertThat(configuration(node, "m").maxBatchSize()).isEqualTo(16);
    }
  }

  @Test
  void load_withFiles_servesThemInPlaceOfTheRepositoryUntilUnloaded() {
    Tensor row = Tensor.ofFloats(Shape.of(1, 1), 0);
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      assertThat(load(node, "m", null, Map.of("5/model.onnx", Graphs.version(50))))
          .isInstanceOf(Outcome.Ok.class);
      node.poll();
      node.poll();
      assertThat(node.output("m", "x", row).toLongs()).containsExactly(50);

      byte[] broken = FaultyGraphs.danglingInput();
      assertThat(load(node, "m", null, Map.of("6/model.onnx", broken)))
          .isInstanceOf(Outcome.Failed.class);
      assertThat(node.output("m", "x", row).toLongs()).containsExactly(50);

      node.unload("m");
      assertThat(node.problem("m", "x", row).code()).isEqualTo(ErrorCode.NOT_FOUND);
      node.load("m");
      assertThat(node.output("m", "x", row).toLongs()).containsExactly(1);
    }
  }

  @Test
  void load_withFilesOfAModelThatTheRepositoryLacks_servesIt() {
    Tensor row = Tensor.ofFloats(Shape.of(1, 1), 0);
    try (TestNode node = TestNode.start(root)) {
      assertThat(load(node, "new", "{}", Map.of("1/model.onnx", Graphs.version(1))))
          .isInstanceOf(Outcome.Ok.class);
      node.poll();
      assertThat(node.output("new", "x", row).toLongs()).containsExactly(1);
      assertThat(root).isEmptyDirectory();

      node.unload("new");
      assertThat(node.node.index()).isEmpty();
    }
  }

  @Test
  void explicitMode_nothingIsLoadedOrFollowedUnlessAsked() {
    Tensor row = Tensor.ofFloats(Shape.of(1, 1), 0);
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      assertThat(node.node.ready()).isTrue();
      assertThat(node.backend.count(Call.LOAD)).isZero();
      assertThat(node.state("m", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.problem("m", "x", row).code()).isEqualTo(ErrorCode.NOT_FOUND);

      node.load("m");
      ModelFolder.write(root, "m", 2, Graphs.version(2));
      node.poll();
      assertThat(node.output("m", "x", row).toLongs()).containsExactly(1);
      node.load("m");
      assertThat(node.output("m", "x", row).toLongs()).containsExactly(2);
    }
  }

  @Test
  void classification_labelsFromEitherConfiguration_areInTheAnswer() {
    write("yaml", "model.yaml", "labels: {y: labels.txt}");
    write("yaml", "labels.txt", "cat\ndog\r\nbird\n");
    ModelFolder.write(root, "yaml", 1, Graphs.linear());
    write("pbtxt", "config.pbtxt", "output [ { name: \"y\" label_filename: \"l.txt\" } ]");
    write("pbtxt", "l.txt", "cat\ndog\nbird\n");
    ModelFolder.write(root, "pbtxt", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      for (String name : List.of("yaml", "pbtxt")) {
        InferRequest request =
            TestNode.request(name, "x", FOUR).withOutputs(List.of(new RequestedOutput("y", 2)));
        Tensor top = TestNode.only(node.infer(request));

        assertThat(top.shape()).isEqualTo(Shape.of(1, 2));
        assertThat(top.toStrings())
            .extracting(text -> new String(text, StandardCharsets.UTF_8))
            .containsExactly("6.25:2:bird", "3.5:0:cat");
      }
    }
  }

  @Test
  void labels_outsideTheModelFolderOrOfNoOutput_areRefused() {
    write("away", "model.yaml", "labels: {y: ../../etc/passwd}");
    ModelFolder.write(root, "away", 1, Graphs.linear());
    write("other", "model.yaml", "labels: {z: labels.txt}");
    ModelFolder.write(root, "other", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("away", "1").reason())
          .isEqualTo("labels.y: \"../../etc/passwd\" (expected: a file below the model's folder)");
      assertThat(node.status("other", "1").reason())
          .isEqualTo("labels.z: unknown (expected: the name of an output)");
      assertThat(node.backend.live()).isZero();
    }
  }

  @Test
  void warmUp_declaredRowsThatDoNotWork_failTheLoad() {
    write("m", "model.yaml", "warmup: {rows: [128]}");
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("m", "1").reason())
          .isEqualTo("warmup.rows: 128 (expected: at most 64)");
    }
  }

  private static Outcome<?> load(
      TestNode node, String name, String config, Map<String, byte[]> files) {
    return join(node.node.load(new LoadRequest(name, config, files)));
  }

  private static ModelConfiguration configuration(TestNode node, String name) {
    return ((Outcome.Ok<ModelConfiguration>) node.node.configuration(name, null)).value();
  }

  private void write(String model, String file, String text) {
    write(model, file, text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String model, String file, byte[] content) {
    try {
      Path path = root.resolve(model).resolve(file);
      Files.createDirectories(path.getParent());
      Files.write(path, content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
