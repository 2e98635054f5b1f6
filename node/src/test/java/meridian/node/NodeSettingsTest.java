package meridian.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import meridian.core.backend.Backend;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.time.NanoClock;
import meridian.node.config.NodeDefaults;
import meridian.node.config.Threads;
import meridian.node.lifecycle.LifecycleSettings;
import meridian.onnx.OnnxRuntimeBackend;
import meridian.serving.telemetry.Metrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeSettingsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Threads ANY = new Threads(1);

  @Test
  void defaults_everyValue_isPinned() {
    assertThat(NodeSettings.defaults(Path.of("models")))
        .isEqualTo(
            new NodeSettings(
                Path.of("models"),
                Runtime.getRuntime().availableProcessors(),
                new LifecycleSettings(
                    true,
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(1),
                    2,
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(30)),
                new NodeDefaults(
                    64,
                    4096,
                    256L * 1024 * 1024,
                    Duration.ofSeconds(30),
                    8,
                    List.of(ExecutionProvider.CPU),
                    Threads.AUTO)));
  }

  @Test
  void settings_outOfRange_areRefusedWithBothValues() {
    assertThatThrownBy(() -> NodeSettings.defaults(Path.of("m")).withLanes(0))
        .hasMessage("lanes: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> LifecycleSettings.STANDARD.withMaxLoads(0))
        .hasMessage("maxLoads: 0 (expected: 1 or more)");
    assertThatThrownBy(
            () -> new NodeDefaults(0, 1, 1, SECOND, 1, List.of(ExecutionProvider.CPU), ANY))
        .hasMessage("maxRows: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> new NodeDefaults(1, 1, 1, SECOND, 1, List.of(), ANY))
        .hasMessage("providers: [] (expected: one or more)");
  }

  @Test
  void start_repositoryThatIsNoFolder_isRefused(@TempDir Path root) {
    NodeSettings settings = NodeSettings.defaults(root.resolve("gone"));
    try (Backend backend = OnnxRuntimeBackend.open()) {
      assertThatThrownBy(
              () ->
                  Node.start(
                      settings,
                      backend,
                      Metrics.create(),
                      NanoClock.SYSTEM,
                      InstantSource.system()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("models: " + root.resolve("gone") + " (expected: a folder)");
    }
  }
}
