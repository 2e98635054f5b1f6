package meridian.node;

import static meridian.node.TestNode.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..",
        ".",
        "",
        "../x",
        "..%2f..%2fetc",
        "..\\x",
        "m/../../x",
        "/etc",
        "a\0b",
        "x/1"
      })
  void name_thatBreaksTheRule_isRefusedAlikeWhateverIsThere(String name) throws IOException {
    Path repository = Files.createDirectory(root.resolve("models"));
    ModelFolder.write(root, "x", 1, Graphs.version(1));
    ModelFolder.write(repository, "x", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(repository)) {
      for (Problem problem :
          new Problem[] {
            problem(node.load(name)),
            problem(node.unload(name)),
            problem(node.node.describe(name, null)),
            problem(node.node.configuration(name, "1")),
            problem(node.node.statistics(name, null)),
            node.problem(name, "x", ROW)
          }) {
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(problem.message()).contains("expected: 1 to 128 of A-Z a-z 0-9");
      }
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "v1", "1.0", "-1", "", "../1", "9223372036854775808"})
  void version_thatBreaksTheRule_isRefused(String version) {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      Problem problem = problem(node.node.describe("m", version));

      assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(problem.message()).startsWith("version: ");
    }
  }

  @Test
  void version_thatIsNotThere_isNotFound() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      assertThat(problem(node.node.describe("m", "2")))
          .isEqualTo(
              Problem.of(
                  ErrorCode.NOT_FOUND,
                  "version: 2 of model \"m\" is unknown (expected: one of [1])"));
    }
  }

  @Test
  void name_withDotsAndDashes_isServed() {
    ModelFolder.write(root, "iris-v1.0.1", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.output("iris-v1.0.1", "x", ROW).toLongs()).containsExactly(1);
    }
  }

  @Test
  void index_folderWithAForbiddenName_isListedWithTheRule() {
    ModelFolder.write(root, "a b", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.status("a b", "").reason()).contains("expected: 1 to 128 of A-Z");
      assertThat(node.backend.count(Call.LOAD)).isZero();
      assertThat(node.node.ready()).isTrue();
    }
  }

  @Test
  void load_fileOutsideItsVersion_isRefusedAndWritesNothing() {
    try (TestNode node = TestNode.start(root)) {
      Outcome<?> outcome =
          TestNode.join(
              node.node.load(
                  new LoadRequest("m", null, Map.of("1/../../../evil", Graphs.version(1)))));

      assertThat(problem(outcome).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(node.node.index()).isEmpty();
    }
  }

  @Test
  void load_modelFileOutsideItsFolder_isRefused() throws IOException {
    Files.write(root.resolve("outside.onnx"), Graphs.version(1));
    Path repository = Files.createDirectory(root.resolve("models"));
    ModelFolder.write(repository, "m", 1, Graphs.version(1));
    for (String file : new String[] {"../../../outside.onnx", "/etc/passwd", "..", ""}) {
      Files.writeString(repository.resolve("m/model.yaml"), "file: \"" + file + "\"");
      try (TestNode node = TestNode.start(repository)) {
        assertThat(node.status("m", "1").reason())
            .isEqualTo(
                "version 1: \"%s\" (expected: a file below the model's folder)".formatted(file));
        assertThat(node.backend.count(Call.LOAD)).isZero();
      }
    }
  }
}
