package meridian.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import meridian.core.error.Outcome;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loads and unloads a small model over and over and prints the resident memory: {@code mvn -pl node
 * -am verify -Dtest=LoadCyclesTest -Dsurefire.failIfNoSpecifiedTests=false
 * -DargLine="-Dmeridian.cycles=1000 -Xmx256m --enable-native-access=ALL-UNNAMED"}.
 */
@EnabledIfSystemProperty(named = "meridian.cycles", matches = "\\d+")
class LoadCyclesTest {

  private static final int LEVEL_AFTER = 100;
  private static final double ALLOWED_GROWTH = 1.05;

  @TempDir Path root;

  @Test
  void cycles_smallModel_residentMemoryReturnsToItsLevel() throws IOException {
    int cycles = Integer.getInteger("meridian.cycles");
    ModelFolder.write(root, "m", 1, Graphs.linear());
    Tensor row = Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4);
    long level = Long.MAX_VALUE;
    long now = 0;
    try (TestNode node = TestNode.start(root)) {
      for (int cycle = 1; cycle <= cycles; cycle++) {
        assertThat(node.unload("m")).isInstanceOf(Outcome.Ok.class);
        assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
        for (int i = 0; i < 10; i++) {
          node.output("m", "x", row);
        }
        if (cycle % LEVEL_AFTER == 0) {
          System.gc();
          now = residentKibibytes();
          level = cycle == LEVEL_AFTER ? now : level;
          System.out.printf("%5d cycles: %d KiB resident%n", cycle, now);
        }
      }
    }
    assertThat((double) now).isLessThanOrEqualTo(ALLOWED_GROWTH * level);
  }

  private static long residentKibibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
