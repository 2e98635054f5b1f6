package meridian.onnx;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LoadCyclesTest {

  @TempDir Path folder;

  @Test
  void thousandCycles_smallModel_keepTheMemoryOfTheFirstHundred() throws Exception {
    List<Sample> samples = cycles(Graphs.linear(), 100, 1_000);
    assertThat(samples.getLast().residentKib())
        .isLessThanOrEqualTo((long) (1.05 * samples.getFirst().residentKib()));
    assertThat(samples.getLast().threads()).isEqualTo(samples.getFirst().threads());
  }

  @Test
  void twoHundredCycles_modelOf20Megabytes_areFlatAfterTheFirstTwenty() throws Exception {
    List<Sample> samples = cycles(Graphs.heavy(2_240), 20, 200);
    assertThat(samples.getLast().residentKib())
        .isLessThanOrEqualTo((long) (1.3 * samples.getFirst().residentKib()));
  }

  private List<Sample> cycles(byte[] onnx, int... reports) throws Exception {
    Path output = folder.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms48m",
                "-Xmx48m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LoadCycles.class.getName(),
                ModelFolder.write(folder, "model", 1, onnx).toString()));
    IntStream.of(reports).mapToObj(Integer::toString).forEach(command::add);
    File log = folder.resolve("log").toFile();
    Process process =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(log).start();
    try {
      assertThat(process.waitFor(5, MINUTES)).isTrue();
      assertThat(process.exitValue()).describedAs(Files.readString(log.toPath())).isZero();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output).stream().map(Sample::parse).toList();
  }

  private record Sample(long residentKib, long threads) {
    static Sample parse(String line) {
      String[] words = line.split(" ");
      return new Sample(Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
  }
}
