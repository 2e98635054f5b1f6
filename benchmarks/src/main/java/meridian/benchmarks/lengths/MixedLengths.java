package meridian.benchmarks.lengths;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.time.NanoClock;
import meridian.node.Node;
import meridian.node.NodeSettings;
import meridian.onnx.OnnxRuntimeBackend;
import meridian.serving.telemetry.Metrics;

/**
 * How many requests of mixed length a node answers a second, one row each, beside an oracle that
 * has all of them before it begins, sorts them by length and runs full batches on as many threads:
 * in one process and in turn. Arguments: a transformer's model file over token ids, and the rounds.
 */
public final class MixedLengths {

  private static final String MODEL = "tokens";
  private static final int REQUESTS = 2048;
  private static final int ROWS = 32;
  private static final int[] IN_FLIGHT = {64, 256, 1024};
  private static final String YAML =
      """
      batching:
        max_rows: %d
        mixing: allowed
        padding:
          inputs: {input_ids: 0, attention_mask: 0, token_type_ids: 0}
          outputs: [last_hidden_state]
      """
          .formatted(ROWS);

  private MixedLengths() {}

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    Path file = Path.of(args[0]);
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    NodeSettings settings = NodeSettings.defaults(repository(file));
    Sentences sentences = Sentences.logNormal(REQUESTS);
    try (Backend backend = OnnxRuntimeBackend.open();
        LoadedModel plain = backend.load(file, Backend.ExecutionSettings.SINGLE_THREAD);
        Node node =
            Node.start(
                settings, backend, Metrics.create(), NanoClock.SYSTEM, InstantSource.system())) {
      node.firstScan().toCompletableFuture().join();
      out.printf("%s%n%s%n", node.describe(MODEL, null).orElseThrow().properties(), sentences);
      Oracle oracle = new Oracle(plain, sentences, ROWS, settings.lanes());
      compare(out, oracle, new Crowd(node, MODEL, sentences), rounds);
    }
  }

  private static void compare(PrintStream out, Oracle oracle, Crowd crowd, int rounds)
      throws InterruptedException, ExecutionException {
    oracle.run();
    crowd.run(IN_FLIGHT[0]);
    out.println("| in flight | requests/s | oracle requests/s | ratio |");
    out.println("|--:|--:|--:|--:|");
    for (int inFlight : IN_FLIGHT) {
      double[] ours = new double[rounds];
      double[] best = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        best[round] = oracle.run();
        ours[round] = crowd.run(inFlight);
      }
      double[] ratios =
          IntStream.range(0, rounds).mapToDouble(round -> ours[round] / best[round]).toArray();
      out.printf(
          "| %d | %.0f | %.0f | %.2f |%n", inFlight, median(ours), median(best), median(ratios));
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static Path repository(Path file) throws IOException {
    Path repository = Files.createTempDirectory("lengths");
    Path version = Files.createDirectories(repository.resolve(MODEL).resolve("1"));
    Files.copy(file, version.resolve("model.onnx"));
    Files.writeString(repository.resolve(MODEL).resolve("model.yaml"), YAML);
    return repository;
  }
}
