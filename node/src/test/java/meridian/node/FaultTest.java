package meridian.node;

import static meridian.node.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.model.ModelState;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The n-th call of each kind fails, wherever that falls; what must hold then holds. */
class FaultTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);

  @TempDir Path root;

  static Stream<Arguments> calls() {
    return Stream.of(Call.values())
        .flatMap(
            call ->
                IntStream.rangeClosed(1, call == Call.RUN ? 30 : 5)
                    .mapToObj(nth -> Arguments.of(call, nth)));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void reload_nthCallFails_aVersionServesAndAllIsClosedOnce(Call call, int nth) {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      node.backend.failNth(call, nth);
      for (int content = 2; content <= 4; content++) {
        ModelFolder.write(root, "m", 1, Graphs.version(content));
        node.poll();
        InferResult result = node.infer("m", "x", ROW);
        switch (result) {
          case InferResponse _ ->
              assertThat(TestNode.only(result).toLongs()[0]).isIn((long) content, content - 1L);
          case InferFailure(var problem, _) ->
              assertThat(problem.message()).contains("run fails as told");
        }
        assertThat(node.state("m", "1")).isEqualTo(ModelState.READY);
        assertThat(node.node.ready()).isTrue();
        await(() -> node.backend.live() == 1);
      }
      node.unload("m");
      assertThat(node.state("m", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.backend.live()).isZero();
    }
  }
}
