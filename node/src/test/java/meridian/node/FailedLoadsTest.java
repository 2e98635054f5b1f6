package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelState;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.FaultyGraphs;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a load that came to nothing leaves behind. */
class FailedLoadsTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);
  private static final int STRANGERS = 200;

  @TempDir Path root;

  @Test
  void load_ofInventedNames_leavesNothing() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      String index = node.node.index().toString();
      long metrics = modelLines(node);
      for (int i = 0; i < STRANGERS; i++) {
        String name = "stranger-" + i;
        assertRefused(node, LoadRequest.of(name), ErrorCode.NOT_FOUND);
        assertRefused(node, new LoadRequest(name, "{}", Map.of()), ErrorCode.NOT_FOUND);
        assertRefused(node, files(name, null, "1/model.onnx"), ErrorCode.INVALID_ARGUMENT);
        assertRefused(node, files(name, null, "1/other.onnx"), ErrorCode.INVALID_ARGUMENT);
        assertRefused(node, files(name, "{", "1/model.onnx"), ErrorCode.INVALID_ARGUMENT);
        assertRefused(node, files(name, null, "model.onnx"), ErrorCode.INVALID_ARGUMENT);
        assertThat(problem(node.unload(name)).code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(node.problem(name, "x", ROW).code()).isEqualTo(ErrorCode.NOT_FOUND);
      }
      assertThat(node.node.index()).hasToString(index);
      assertThat(modelLines(node)).isEqualTo(metrics);
      assertThat(exposed(node)).doesNotContain("stranger");
      assertThat(node.output("m", "x", ROW).toLongs()).containsExactly(1);
    }
  }

  @Test
  void load_bugOfTheServer_isToldAsSuch() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      node.backend.failNth(FaultyBackend.Call.LOAD_BUG, 1);
      Problem bug = assertRefused(node, LoadRequest.of("m"), ErrorCode.INTERNAL);
      assertThat(bug.message())
          .startsWith("model \"m\": not loaded: version 1: internal error: ")
          .endsWith("a bug as told");
      assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
    }
  }

  @Test
  void load_modelOfTheRepository_staysKnownWithItsReason() {
    ModelFolder.write(root, "broken", 1, FaultyGraphs.danglingInput());
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      Problem own = assertRefused(node, LoadRequest.of("broken"), ErrorCode.INVALID_ARGUMENT);
      assertThat(node.state("broken", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(own.message()).endsWith(node.status("broken", "1").reason());

      assertRefused(node, files("broken", null, "1/model.onnx"), ErrorCode.INVALID_ARGUMENT);
      assertThat(node.status("broken", "1").reason()).isNotEmpty();
    }
  }

  @Test
  void load_firstOrderIsAnOverrideThatFails_repositoryIsWhatCounts() {
    try (TestNode node = TestNode.start(root)) {
      ModelFolder.write(root, "m", 1, Graphs.version(1));
      assertRefused(node, files("m", null, "9/model.onnx"), ErrorCode.INVALID_ARGUMENT);
      assertThat(node.node.index()).extracting(line -> line.version()).containsExactly("1");

      assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
      assertThat(node.output("m", "x", ROW).toLongs()).containsExactly(1);
    }
  }

  @Test
  void load_modelWhoseFolderGoesAfterTheFailure_isForgotten() throws IOException {
    ModelFolder.write(root, "other", 1, Graphs.version(1));
    ModelFolder.write(root, "m", 1, FaultyGraphs.danglingInput());
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      assertRefused(node, LoadRequest.of("m"), ErrorCode.INVALID_ARGUMENT);
      try (Stream<Path> files = Files.walk(root.resolve("m"))) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(file);
        }
      }
      node.poll();

      assertThat(node.node.index()).noneMatch(line -> line.name().equals("m"));
      assertThat(exposed(node)).doesNotContain("model=\"m\"");
    }
  }

  private static LoadRequest files(String name, String config, String path) {
    return new LoadRequest(name, config, Map.of(path, FaultyGraphs.danglingInput()));
  }

  private static Problem assertRefused(TestNode node, LoadRequest request, ErrorCode code) {
    Problem problem = problem(join(node.node.load(request)));
    assertThat(problem.code()).isEqualTo(code);
    return problem;
  }

  private static long modelLines(TestNode node) {
    return exposed(node).lines().filter(line -> line.contains("model=\"")).count();
  }

  private static String exposed(TestNode node) {
    return new String(node.metrics.expose(null).body(), StandardCharsets.UTF_8);
  }
}
