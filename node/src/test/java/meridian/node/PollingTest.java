package meridian.node;

import static meridian.node.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import meridian.core.model.ModelState;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.lifecycle.LifecycleSettings;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PollingTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);

  @TempDir Path root;

  @Test
  void schedule_versionAdded_isTakenUpWithoutATouch() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root, PollingTest::often)) {
      ModelFolder.write(root, "m", 2, Graphs.version(2));
      await(() -> node.isIn(ModelState.READY, "m", "2"));
      await(() -> node.backend.live() == 1);

      assertThat(node.output("m", "x", ROW).toLongs()).containsExactly(2);
    }
  }

  @Test
  void metrics_versionsThatComeAndGo_areShownWhileTheyAreThere() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      node.output("m", "x", ROW);
      assertThat(scrape(node))
          .contains("meridian_model_state{model=\"m\",state=\"READY\",version=\"1\"} 1")
          .contains("meridian_model_load_seconds_count{model=\"m\"} 1")
          .contains("meridian_batch_size_count{model=\"m\"} 1")
          .contains("meridian_queue_depth{model=\"m\"} 0");
      await(() -> scrape(node).contains("meridian_lanes_busy 0"));

      node.unload("m");
      assertThat(scrape(node))
          .contains("meridian_model_state{model=\"m\",state=\"UNAVAILABLE\",version=\"1\"} 1")
          .doesNotContain("state=\"READY\"")
          .doesNotContain("meridian_queue_depth{model=\"m\"}");
    }
  }

  private static String scrape(TestNode node) {
    return new String(node.metrics.expose(null).body(), StandardCharsets.UTF_8);
  }

  static NodeSettings often(NodeSettings settings) {
    return settings.withLifecycle(
        new LifecycleSettings(
            true,
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            2,
            Duration.ofSeconds(5),
            Duration.ofSeconds(30)));
  }
}
