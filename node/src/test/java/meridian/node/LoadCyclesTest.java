package meridian.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import meridian.core.error.Outcome;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads and unloads over and over, or replaces without unloading. The build counts threads and file
 * handles; with {@code meridian.cycles} the resident memory is measured and printed too: {@code mvn
 * -pl node -am verify -Dtest=LoadCyclesTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dsurefire.jvm="-Dmeridian.cycles=200 -Xmx256m --enable-native-access=ALL-UNNAMED"}.
 */
@EnabledOnOs(OS.LINUX)
class LoadCyclesTest {

  private static final int SIDE_OF_20_MEGABYTES = 2_240;
  private static final int LEVEL_AFTER = 20;
  private static final long SPARE_HANDLES = 10;

  @TempDir Path root;

  @Test
  void cycles_ofLoadingAndReplacing_keepThreadsAndHandles() throws IOException {
    try (Cycles cycles = new Cycles(Graphs.linear(), 4)) {
      cycles.run(LEVEL_AFTER);
      long threads = threads();
      long handles = handles();
      cycles.run(3 * LEVEL_AFTER);
      assertThat(threads()).isEqualTo(threads);
      assertThat(handles()).isLessThan(handles + SPARE_HANDLES);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "meridian.cycles", matches = "\\d+")
  void cycles_smallModel_residentMemoryReturnsToItsLevel() throws IOException {
    assertLevel(Graphs.linear(), 4, 100, Integer.getInteger("meridian.cycles"), 1.05);
  }

  @Test
  @EnabledIfSystemProperty(named = "meridian.cycles", matches = "\\d+")
  void cycles_modelOf20Megabytes_residentMemoryReturnsToItsLevel() throws IOException {
    byte[] model = Graphs.heavy(SIDE_OF_20_MEGABYTES);
    assertLevel(
        model, SIDE_OF_20_MEGABYTES, LEVEL_AFTER, Integer.getInteger("meridian.cycles"), 1.3);
  }

  private void assertLevel(byte[] model, int width, int levelAfter, int count, double allowed)
      throws IOException {
    try (Cycles cycles = new Cycles(model, width)) {
      cycles.run(levelAfter);
      long level = residentKibibytes();
      cycles.run(Math.max(0, count - levelAfter));
      long now = residentKibibytes();
      System.out.printf("%d cycles: %d KiB resident, %d after %d%n", count, now, level, levelAfter);
      assertThat((double) now).isLessThanOrEqualTo(allowed * level);
    }
  }

  /** Every other cycle replaces the version without unloading it. */
  private final class Cycles implements AutoCloseable {

    private final Tensor row;
    private final TestNode node;
    private int done;

    Cycles(byte[] model, int width) {
      ModelFolder.write(root, "m", 1, model);
      row = Tensor.ofFloats(Shape.of(1, width), new float[width]);
      node = TestNode.start(root);
    }

    void run(int count) {
      for (int i = 0; i < count; i++) {
        if (done++ % 2 == 0) {
          assertThat(node.unload("m")).isInstanceOf(Outcome.Ok.class);
        }
        assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
        for (int request = 0; request < 10; request++) {
          assertThat(node.output("m", "x", row).shape().dim(0)).isEqualTo(1);
        }
      }
      TestNode.await(() -> node.backend.live() == 1);
    }

    @Override
    public void close() {
      node.close();
    }
  }

  /** Of a node; those of the JVM come and go. */
  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("meridian-"))
        .count();
  }

  private static long handles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  private static long residentKibibytes() throws IOException {
    System.gc();
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
