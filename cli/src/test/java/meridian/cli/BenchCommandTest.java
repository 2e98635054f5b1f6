package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import meridian.testkit.graph.FixtureRepository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load test against a region server of this process. */
class BenchCommandTest {

  @TempDir private static Path folder;
  private static RegionServer server;
  private static Path model;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    Path models = folder.resolve("models");
    FixtureRepository.write(models);
    model = models.resolve("add_sub/1/model.onnx");
    server = TestServers.start(models);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void bench_openLoopWithLimit_reportsBothSidesAndTheVerdict() throws Exception {
    Path page = folder.resolve("report.html");
    assertThat(
            bench(
                "--rate",
                "100",
                "--limit",
                model.toString(),
                "--server-pid",
                pid(),
                "--html",
                page.toString(),
                "--json"))
        .as(err::toString)
        .isZero();
    JsonNode json = new JsonMapper().readTree(out.toString());
    long answered = json.at("/server/answered").asLong();
    assertThat(answered).isBetween(120L, 280L);
    assertThat(json.at("/in_process/answered").asLong()).isBetween(120L, 280L);
    assertThat(json.at("/ratios/p50").asDouble()).isPositive();
    assertThat(json.at("/ratios/cpu_per_row").asDouble()).isPositive();
    assertThat(json.at("/verdict/text").asText()).contains("verdict: the server");
    assertThat(json.at("/timeline").size()).isEqualTo(2);
    assertThat(Files.readString(page)).contains("add_sub over grpc", "<svg", "P50 ms");
  }

  @Test
  void bench_closedLoopWithBatches_comparesThroughput() throws Exception {
    assertThat(
            bench(
                "--in-flight",
                "4",
                "--limit",
                model.toString(),
                "--limit-batch",
                "32",
                "--limit-threads",
                "2",
                "--json"))
        .as(err::toString)
        .isZero();
    JsonNode ratios = new JsonMapper().readTree(out.toString()).at("/ratios");
    assertThat(ratios.at("/p50").isNull()).isTrue();
    assertThat(ratios.at("/in_process_cpu_per_row").asDouble()).isPositive();
    assertThat(ratios.at("/rows_per_second").asDouble()).isBetween(0.0, 1.0);
  }

  @Test
  void bench_lengthsPrioritiesAndDeadlines_areTakenByTheServer() throws Exception {
    assertThat(
            bench(
                "--rate",
                "100",
                "--length",
                "lognormal:16:0.5:4:64",
                "--priority",
                "1:10,8:90",
                "--timeout-ms",
                "5000"))
        .as(err::toString)
        .isZero();
    assertThat(out.toString())
        .contains("length lognormal:16:0.5:4:64, deadline 5000 ms, priority 1:10,8:90")
        .contains("priority 1 ", "priority 8 ", "mean breakdown:", "load generator: used")
        .doesNotContain("failed:");
  }

  @Test
  void findMax_budgetThatNothingKeeps_failsAndToldEveryTrial() {
    assertThat(bench("--find-max", "--rate", "8", "--budget", "1us", "--trial", "300ms"))
        .isEqualTo(Main.FAILED);
    assertThat(err.toString())
        .contains("trial at 8.0/s: P99 ", "trial at 4.0/s: P99 ")
        .contains("no rate keeps P99 within 1us (expected: a longer --budget or a faster server)");
  }

  @Test
  void options_thatDoNotGoTogether_areWrongUse() {
    assertWrong(
        "--find-max: given (expected: without --in-flight", "--find-max", "--in-flight", "1");
    assertWrong("--limit-batch: 8 (expected: with --limit and --in-flight)", "--limit-batch", "8");
    assertWrong("--limit-threads: 2 (expected: with --limit", "--limit-threads", "2");
    assertWrong("--server-pid: 99999999 (expected: a process of", "--server-pid", "99999999");
    assertWrong("--connections: 0 (expected: 1..10000)", "--connections", "0");
    assertWrong("--budget: 0s (expected: above 0s)", "--budget", "0s");
    assertWrong("most: 4 (expected: 8 or more)", "--length", "8..4");
    assertWrong("priority: 0 (expected: 1 or more)", "--priority", "0");
  }

  @Test
  void html_whereNothingCanBeWritten_isRefusedBeforeTheLoad() {
    String file = folder.resolve("no/such/file").toString();
    assertWrong(
        "--html: " + file + " (expected: a file in a folder that is there)", "--html", file);
    assertWrong("--html: " + folder + " (expected: a file", "--html", folder.toString());
    assertThat(err.toString()).doesNotContain("answered");
  }

  private void assertWrong(String message, String... options) {
    assertThat(bench(options)).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains(message);
  }

  private static String pid() {
    return Long.toString(ProcessHandle.current().pid());
  }

  private int bench(String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "bench",
                "add_sub",
                "--server",
                server.inference().toString(),
                "--duration",
                "2s",
                "--warm-up",
                "500ms"));
    arguments.addAll(List.of(options));
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }
}
