package meridian.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import meridian.cli.bench.Arrivals;
import meridian.cli.bench.InProcess;
import meridian.cli.bench.LoadReport;
import meridian.cli.bench.LoadShape;
import meridian.cli.bench.LoadTest;
import meridian.cli.bench.Samples;
import meridian.cli.config.Units;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferenceService;
import meridian.core.model.ModelDescription;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import meridian.onnx.OnnxRuntimeBackend;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    description = {
      "Load a model at a fixed rate and report latencies from the intended start of each request.",
      "Requests are sent when they are due, answered or not (open loop), so that a slow server",
      "cannot slow its own test. With --in-flight each answer sends the next request instead."
    },
    footer = {
      "",
      "Examples:",
      "  meridian bench minilm --rate 50 --duration 20s",
      "  meridian bench add --wire grpc --rate 500 --limit models/add/1/model.onnx"
    })
final class BenchCommand implements Callable<Integer> {

  private static final long SEED = 42;

  @Spec private CommandSpec spec;

  @Mixin private ServerOptions server;

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's name.")
  private String model;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      defaultValue = "50",
      description = "Requests per second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = "Keep N requests under way instead of a rate (closed loop).")
  private @Nullable Integer inFlight;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "How long to measure (default: ${DEFAULT-VALUE}).")
  private Duration duration;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "3s",
      converter = DurationConverter.class,
      description = "How long to load before measuring (default: ${DEFAULT-VALUE}).")
  private Duration warmUp;

  @Option(
      names = "--wire",
      paramLabel = "WIRE",
      defaultValue = "grpc",
      converter = WireConverter.class,
      description = "grpc, rest-binary or rest-json (default: ${DEFAULT-VALUE}).")
  private Wire wire;

  @Option(
      names = "--arrivals",
      paramLabel = "KIND",
      defaultValue = "poisson",
      converter = ArrivalsConverter.class,
      description = "poisson or constant (default: ${DEFAULT-VALUE}).")
  private Arrivals arrivals;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rows of a request (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--length",
      paramLabel = "N",
      defaultValue = "16",
      description = "Size of every other variable dimension (default: ${DEFAULT-VALUE}).")
  private int length;

  @Option(
      names = "--timeout-ms",
      paramLabel = "MILLIS",
      description = "Deadline of each request in milliseconds (default: none).")
  private @Nullable Integer timeoutMillis;

  @Option(
      names = "--limit",
      paramLabel = "FILE",
      description = "Also run this model file in process, in turn with the server.")
  private @Nullable Path limit;

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  @Override
  public Integer call() throws CommandException, InterruptedException {
    Checks.requirePositive(spec, "--rate", rate);
    Checks.requirePositive(spec, "--in-flight", inFlight);
    Checks.requirePositive(spec, "--duration", duration);
    Checks.requirePositive(spec, "--rows", rows);
    Checks.requirePositive(spec, "--length", length);
    Checks.requirePositive(spec, "--timeout-ms", timeoutMillis);
    try (MeridianClient client = server.connect(wire)) {
      ModelDescription description = server.await(client.describe(model, null));
      Samples samples =
          new Samples(description.signature(), rows, length, new SplittableRandom(SEED));
      LoadTest.Result result = measure(client, () -> request(samples));
      print(new LoadReport(title(), result));
      return result.server().answered() == 0 ? Main.FAILED : 0;
    }
  }

  private LoadTest.Result measure(MeridianClient client, Supplier<InferRequest> requests)
      throws CommandException, InterruptedException {
    if (limit == null) {
      return test().run(client, null, requests, this::progress);
    }
    try (Backend backend = OnnxRuntimeBackend.open();
        LoadedModel loaded = backend.load(limit, Backend.ExecutionSettings.SINGLE_THREAD)) {
      InferenceService inProcess = new InProcess(loaded, NanoClock.SYSTEM);
      return test().run(client, inProcess, requests, this::progress);
    } catch (ModelLoadException failed) {
      throw new CommandException("--limit: " + failed.getMessage());
    }
  }

  private LoadTest test() {
    return new LoadTest(shape(), duration, warmUp);
  }

  private LoadShape shape() {
    return inFlight == null
        ? new LoadShape.Open(rate, arrivals, new SplittableRandom(SEED), NanoClock.SYSTEM)
        : new LoadShape.Closed(inFlight, NanoClock.SYSTEM);
  }

  private InferRequest request(Samples samples) {
    InferRequest request = InferRequest.of(model, samples.next());
    if (timeoutMillis == null) {
      return request;
    }
    long nanos = Duration.ofMillis(timeoutMillis).toNanos();
    return request.withDeadline(Deadline.after(NanoClock.SYSTEM.nanos(), nanos));
  }

  private String title() {
    return String.format(
        Locale.ROOT,
        "%s over %s for %s: %s, %d row(s), length %d",
        model,
        wire,
        Units.format(duration),
        shape().text(),
        rows,
        length);
  }

  private void progress(double share) {
    if (!json && Terminals.isInteractive()) {
      PrintWriter err = spec.commandLine().getErr();
      err.printf(Locale.ROOT, "\r%3.0f %%", share * 100);
      err.print(share >= 1 ? "\r     \r" : "");
      err.flush();
    }
  }

  private void print(LoadReport report) {
    spec.commandLine().getOut().println(json ? report.json().toPrettyString() : report.text());
  }
}
