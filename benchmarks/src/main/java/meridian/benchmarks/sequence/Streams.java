package meridian.benchmarks.sequence;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import meridian.core.backend.Backend;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelStatistics;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.NanoClock;
import meridian.node.Node;
import meridian.node.NodeSettings;
import meridian.onnx.OnnxRuntimeBackend;
import meridian.serving.telemetry.Metrics;

/**
 * How many windows a second Silero VAD hears of many streams at once: executions shared between
 * them against one at a time, in one process and in turn, medians of some rounds, and the plain
 * graph on one thread before and after. Arguments: the model file, and optionally the seconds of
 * each measurement.
 */
public final class Streams {

  private static final List<String> MODELS = List.of("auto", "exact");
  private static final int[] COUNTS = {1, 4, 16, 64, 256};
  private static final int ROUNDS = 5;
  private static final long SEED = 7;

  private final PrintStream out;
  private final Node node;
  private final long nanos;

  private Streams(PrintStream out, Node node, long nanos) {
    this.out = out;
    this.node = node;
    this.nanos = nanos;
  }

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    Path file = Path.of(args[0]);
    long nanos = TimeUnit.SECONDS.toNanos(args.length > 1 ? Long.parseLong(args[1]) : 3);
    Path repository = Files.createTempDirectory("streams");
    write(repository, file);
    try (Backend backend = OnnxRuntimeBackend.open();
        Node node =
            Node.start(
                NodeSettings.defaults(repository),
                backend,
                Metrics.create(),
                NanoClock.SYSTEM,
                InstantSource.system())) {
      node.firstScan().toCompletableFuture().join();
      out.printf("%s%n", node.describe("auto", null).orElseThrow().properties());
      try (LoadedModel plain = backend.load(file, Backend.ExecutionSettings.SINGLE_THREAD)) {
        alone(plain, nanos);
        double before = alone(plain, nanos);
        new Streams(out, node, nanos).run();
        double after = alone(plain, nanos);
        out.printf("plain graph, one thread: %.0f and %.0f windows/s%n", before, after);
      }
    }
  }

  private static void write(Path repository, Path file) throws IOException {
    for (String mixing : MODELS) {
      Files.createDirectories(repository.resolve(mixing).resolve("1"));
      Files.copy(file, repository.resolve(mixing).resolve("1/model.onnx"));
      Files.writeString(repository.resolve(mixing).resolve("model.yaml"), yaml(mixing));
    }
  }

  private static String yaml(String mixing) {
    return """
    sequence: {states: [{input: state, output: stateN, axis: 1}]}
    fixed_inputs: {sr: 16000}
    warmup: {shapes: {input: [576]}}
    batching: {max_rows: 64, mixing: %s}
    """
        .formatted(mixing);
  }

  private void run() throws InterruptedException, ProblemException {
    for (String model : MODELS) {
      measure(model, 16);
    }
    out.println("| streams | shared windows/s | mean batch | one at a time windows/s |");
    out.println("|--:|--:|--:|--:|");
    for (int count : COUNTS) {
      double[][] rates = new double[MODELS.size()][ROUNDS];
      long before = executions();
      long heard = 0;
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < rates.length; i++) {
          long windows = measure(MODELS.get(i), count);
          heard += i == 0 ? windows : 0;
          rates[i][round] = windows * 1e9 / nanos;
        }
      }
      double batch = (double) heard / (executions() - before);
      out.printf("| %d | %s | %.1f | %s |%n", count, words(rates[0]), batch, words(rates[1]));
    }
  }

  private static String words(double[] rates) {
    Arrays.sort(rates);
    return "%.0f (%.0f to %.0f)".formatted(rates[rates.length / 2], rates[0], rates[ROUNDS - 1]);
  }

  private long executions() throws ProblemException {
    return node.statistics("auto", null).orElseThrow().stream()
        .mapToLong(ModelStatistics::executionCount)
        .sum();
  }

  /** Windows heard; a little is counted before and after the time. */
  private long measure(String model, int count) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Stream> streams =
        IntStream.rangeClosed(1, count)
            .mapToObj(number -> new Stream(model, node, number, random))
            .toList();
    streams.forEach(Stream::start);
    TimeUnit.NANOSECONDS.sleep(nanos);
    long heard = streams.stream().mapToLong(Stream::heard).sum();
    for (Stream stream : streams) {
      stream.stop();
    }
    return heard;
  }

  private static double alone(LoadedModel plain, long nanos) throws ExecutionException {
    NamedTensor window = Stream.window(new SplittableRandom(SEED));
    NamedTensor rate = new NamedTensor("sr", Tensor.ofLongs(Shape.SCALAR, 16_000));
    Tensor state = Tensor.ofFloats(Shape.of(2, 1, 128), new float[256]);
    long began = NanoClock.SYSTEM.nanos();
    long windows = 0;
    while (NanoClock.SYSTEM.nanos() - began < nanos) {
      List<NamedTensor> outputs =
          plain.run(
              List.of(window, new NamedTensor("state", state), rate), Set.of("output", "stateN"));
      for (NamedTensor output : outputs) {
        state = output.name().equals("stateN") ? output.tensor() : state;
      }
      windows++;
    }
    return windows * 1e9 / (NanoClock.SYSTEM.nanos() - began);
  }
}
