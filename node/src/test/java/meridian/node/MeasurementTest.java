package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static meridian.node.TestNode.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import meridian.core.error.Outcome;
import meridian.core.infer.InferResult;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelState;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.RowGraphs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured of a version before its first request, and kept for its next load. */
class MeasurementTest {

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
    for (String broken : List.of("{", "[]", "{\"conditions\":\"x\"}", "null", "\0\1")) {
      Files.writeString(root.resolve("m").resolve(FILE), broken);

      assertThat(runsOfALoad()).as(broken).isEqualTo(first);
    }
  }

  @Test
  void load_timesThatCannotBeWritten_servesAllTheSame() throws IOException {
    model("batching: {max_rows: 8}");
    Files.createDirectories(root.resolve("m").resolve(FILE + ".new").resolve("in the way"));
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.state("m", "1")).isEqualTo(ModelState.READY);
    }
    assertThat(root.resolve("m").resolve(FILE)).doesNotExist();
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
