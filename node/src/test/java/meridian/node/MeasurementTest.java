package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static meridian.node.TestNode.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import meridian.core.error.Outcome;
import meridian.core.infer.InferResult;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelState;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.FaultyBackend.Call;
import meridian.node.warmup.ThreadChoice;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.RowGraphs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured of a version before its first request, and kept for its next load. */
class MeasurementTest {

  private static final int CORES = Runtime.getRuntime().availableProcessors();
  private static final String FILE = ".execution-times-1.json";

  @TempDir Path root;

  @Test
  void load_measuresEverySizeThatIsWarm() throws IOException {
    model("batching: {max_rows: 8}");
    try (TestNode node = TestNode.start(root)) {
      assertThat(times(node).entries())
          .extracting(ExecutionTimes.Entry::rows)
          .containsExactly(1, 2, 4, 8);
      assertThat(times(node).entries())
          .allSatisfy(entry -> assertThat(entry.runs()).isEqualTo(3))
          .allSatisfy(
              entry -> assertThat(entry.inputs().getFirst().shape()).isEqualTo(Shape.of(-1, 4)));
    }
  }

  @Test
  void infer_correctsWhatWasMeasured() throws IOException {
    model("batching: {max_rows: 8}");
    try (TestNode node = TestNode.start(root)) {
      node.output("m", "x", Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4));

      assertThat(times(node).entries().getFirst().runs()).isEqualTo(4);
    }
  }

  @Test
  void load_again_warmsUpAndMeasuresNothing() throws IOException {
    model("batching: {max_rows: 8}");
    int first = runsOfALoad();

    assertThat(root.resolve("m").resolve(FILE)).isNotEmptyFile();
    assertThat(runsOfALoad()).isEqualTo(first - 3 * 4);
  }

  @Test
  void load_ofOtherFiles_measuresAgain() throws IOException {
    model("batching: {max_rows: 8}");
    int first = runsOfALoad();
    Path file = root.resolve("m/1/model.onnx");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));

    assertThat(runsOfALoad()).isEqualTo(first);
  }

  @Test
  void load_brokenFileOfTimes_measuresAgain() throws IOException {
    model("batching: {max_rows: 8}");
    int first = runsOfALoad();
    for (String broken :
        List.of(
            "{",
            "[]",
            "{\"conditions\":\"x\",\"threads\":0,\"executions\":[]}",
            "{\"conditions\":\"x\"}",
            "null",
            "\0\1")) {
      Files.writeString(root.resolve("m").resolve(FILE), broken);

      assertThat(runsOfALoad()).as(broken).isEqualTo(first);
    }
  }

  @Test
  void load_timesThatCannotBeWritten_servesAllTheSame() throws IOException {
    model("batching: {max_rows: 8}");
    Files.createDirectories(root.resolve("m").resolve(FILE).resolve("in the way"));
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.state("m", "1")).isEqualTo(ModelState.READY);
    }
    try (Stream<Path> files = Files.list(root.resolve("m"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("1", "model.yaml", FILE);
    }
  }

  @Test
  void load_filesThatCameWithTheOrder_keepsNothingBesideThem() throws IOException {
    Set<Path> before = overlays();
    Set<Path> overlays;
    try (TestNode node = TestNode.start(root)) {
      LoadRequest order = new LoadRequest("m", "{}", Map.of("1/model.onnx", Graphs.linear()));
      assertThat(join(node.node.load(order))).isInstanceOf(Outcome.Ok.class);
      overlays = overlays();
      overlays.removeAll(before);
      assertThat(overlays).hasSize(1).allSatisfy(MeasurementTest::assertHoldsNoTimes);
      node.unload("m");
    }
    assertThat(overlays).noneMatch(Files::exists);
  }

  private static void assertHoldsNoTimes(Path overlay) throws IOException {
    try (Stream<Path> files = Files.walk(overlay)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("model.onnx")
          .noneMatch(name -> name.startsWith(".execution-times"));
    }
  }

  private static Set<Path> overlays() throws IOException {
    try (Stream<Path> folders = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return folders
          .filter(folder -> folder.getFileName().toString().startsWith("meridian-model-"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void poll_fileOfTimesBesideTheVersions_changesNothing() throws IOException {
    model("batching: {max_rows: 8}");
    try (TestNode node = TestNode.start(root)) {
      int loads = node.backend.count(Call.LOAD);
      node.poll();

      assertThat(node.backend.count(Call.LOAD)).isEqualTo(loads);
      assertThat(node.status("m", "1").reason()).isEmpty();
    }
  }

  @Test
  void infer_unlikeLengthsOfADeclaredModel_shareAnExecution() throws IOException {
    yaml("batching: {padding: {inputs: {x: 0}, outputs: [y], edges: [4, 8]}}");
    ModelFolder.write(root, "m", 1, RowGraphs.doubled());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("m")).containsEntry("padding_edges", "[4, 8]");
      CountDownLatch gate = node.backend.holdRuns();
      int before = node.backend.count(Call.RUN);
      List<CompletionStage<InferResult>> results = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        results.add(
            node.node.infer(
                request("m", "x", Tensor.ofFloats(Shape.of(1, 1 + i % 3), new float[1 + i % 3]))));
      }
      gate.countDown();
      for (int i = 0; i < 8; i++) {
        assertThat(only(join(results.get(i))).shape()).isEqualTo(Shape.of(1, 1 + i % 3));
      }
      assertThat(node.backend.count(Call.RUN) - before).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void load_paddingThatTheGraphDoesNotTake_failsAndNamesTheField() throws IOException {
    assertRefused(Graphs.linear(), "{inputs: {x: 0}}", "inputs: \"x\" FP32 [-1,4]", "[]");
    assertRefused(RowGraphs.doubled(), "{inputs: {z: 0}}", "inputs: \"z\"", "[x]");
    assertRefused(RowGraphs.doubled(), "{inputs: {x: 0}, outputs: [z]}", "outputs: \"z\"", "[y]");
  }

  private void assertRefused(byte[] graph, String padding, String field, String expected)
      throws IOException {
    yaml("batching: {padding: " + padding + "}");
    ModelFolder.write(root, "m", 1, graph);
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("m", "1").reason())
          .isEqualTo(
              "batching.padding.%s (expected: one of the graph's with a variable second dimension: %s)"
                  .formatted(field, expected));
    }
  }

  @Test
  void load_paddingThatChangesAnswers_doesNotMix() throws IOException {
    yaml("batching: {padding: {inputs: {x: 0}, outputs: [y]}}");
    ModelFolder.write(root, "m", 1, RowGraphs.softmax());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("m"))
          .containsEntry("batching", "exact")
          .containsEntry("batch_invariant", "false");
    }
  }

  @Test
  void load_shortExecutions_runOnOneThread() throws IOException {
    model("batching: {max_rows: 8}");
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("m")).containsEntry("threads", "1");
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1);
    }
  }

  @Test
  void load_longExecutions_everyNumberOfThreadsIsTriedOnceAndTheBestIsKept() throws IOException {
    yaml("batching: {max_rows: 1}");
    ModelFolder.write(root, "m", 1, Graphs.divisible());
    int candidates = new ThreadChoice(2, CORES).candidates().size();
    String threads;
    try (TestNode node = TestNode.start(root)) {
      threads = node.properties("m").get("threads");
      int again = threads.equals("1") ? 0 : 1;
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1 + candidates + again);
      assertThat(node.backend.live()).isEqualTo(1);
    }
    assertThat(Integer.parseInt(threads)).isBetween(1, CORES);
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("m")).containsEntry("threads", threads);
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1);
    }
  }

  @Test
  void load_threadsDeclared_areNotMeasured() throws IOException {
    yaml("{batching: {max_rows: 1}, execution: {threads: 2}}");
    ModelFolder.write(root, "m", 1, Graphs.divisible());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("m")).containsEntry("threads", "2");
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1);
    }
  }

  @Test
  void load_triedWithMoreThreadsFails_isAFailedLoadThatHoldsNothing() throws IOException {
    yaml("batching: {max_rows: 1}");
    ModelFolder.write(root, "m", 1, Graphs.divisible());
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      node.backend.failNth(Call.LOAD, 2);
      node.load("m");

      assumeThat(CORES).isGreaterThan(1);
      assertThat(node.state("m", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.backend.live()).isZero();
    }
  }

  private int runsOfALoad() {
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.state("m", "1")).isEqualTo(ModelState.READY);
      return node.backend.count(Call.RUN);
    }
  }

  private static ExecutionTimes times(TestNode node) {
    return ((Outcome.Ok<ExecutionTimes>) node.node.executionTimes("m", null)).value();
  }

  private void model(String yaml) throws IOException {
    yaml(yaml);
    ModelFolder.write(root, "m", 1, Graphs.linear());
  }

  private void yaml(String text) throws IOException {
    Files.createDirectories(root.resolve("m"));
    Files.writeString(root.resolve("m/model.yaml"), text);
  }
}
