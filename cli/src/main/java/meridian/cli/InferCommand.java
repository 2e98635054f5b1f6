package meridian.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import meridian.cli.config.Units;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.error.Outcome;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.latency.Stage;
import meridian.core.model.ModelDescription;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "infer",
    description = "Send one request and show the answer and where its time went.",
    footer = {
      "",
      "Examples:",
      "  meridian infer minilm --text \"Where is my order?\"",
      "  meridian infer minilm-tokens --body request.json --json"
    })
final class InferCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ServerOptions server;

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's name.")
  private String model;

  @ArgGroup(multiplicity = "1")
  private Input input;

  @Option(
      names = "--timeout-ms",
      paramLabel = "MILLIS",
      description = "Give up after so many milliseconds, 1 or more; the server is told.")
  private @Nullable Integer timeoutMillis;

  @Option(names = "--json", description = "Print the server's answer as it is, in JSON.")
  private boolean json;

  /** What to send: exactly one of these. */
  static final class Input {
    @Option(
        names = "--text",
        paramLabel = "TEXT",
        description = "A text, for a model with one BYTES input; may be given several times.")
    private List<String> texts;

    @Option(
        names = "--body",
        paramLabel = "FILE",
        description = "A file with an inference request in JSON.")
    private Path body;
  }

  @Override
  public Integer call() throws CommandException {
    Checks.requirePositive(spec, "--timeout-ms", timeoutMillis);
    try (MeridianClient client = server.connect(Wire.REST_JSON)) {
      InferRequest request = input.body == null ? textRequest(client) : bodyRequest(input.body);
      if (timeoutMillis != null) {
        request = request.withDeadline(deadline(timeoutMillis));
      }
      return show(client.infer(request).toCompletableFuture().join());
    }
  }

  private static Deadline deadline(int millis) {
    return Deadline.after(NanoClock.SYSTEM.nanos(), Duration.ofMillis(millis).toNanos());
  }

  private InferRequest bodyRequest(Path file) throws CommandException {
    Outcome<InferRequest> request = Json.request(model, read(file));
    return switch (request) {
      case Outcome.Ok<InferRequest>(InferRequest value) -> value;
      case Outcome.Failed<InferRequest>(var problem) ->
          throw new CommandException(file + ": " + problem.message());
    };
  }

  private static byte[] read(Path file) throws CommandException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException unreadable) {
      throw new CommandException("--body: cannot read " + unreadable.getMessage());
    }
  }

  private InferRequest textRequest(MeridianClient client) throws CommandException {
    ModelDescription description = server.await(client.describe(model, null));
    List<TensorSpec> inputs = description.signature().inputs();
    if (inputs.size() != 1 || inputs.getFirst().type() != DataType.BYTES) {
      throw new ParameterException(
          spec.commandLine(),
          "--text: \"%s\" takes %s (expected: one BYTES input; use --body)"
              .formatted(model, inputs.stream().map(TensorSpec::name).toList()));
    }
    List<byte[]> texts =
        input.texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    Tensor tensor = Tensor.ofStrings(Shape.of(texts.size()), texts);
    return InferRequest.of(model, List.of(new NamedTensor(inputs.getFirst().name(), tensor)));
  }

  private int show(InferResult result) throws CommandException {
    PrintWriter out = spec.commandLine().getOut();
    return switch (result) {
      case InferFailure failure ->
          throw server.failure(
              failure.problem(),
              failure.problem().code().label() + ": " + failure.problem().message());
      case InferResponse response -> {
        if (json) {
          out.println(Json.of(response));
        } else {
          print(out, response);
        }
        yield 0;
      }
    };
  }

  private static void print(PrintWriter out, InferResponse response) {
    out.println(response.model() + " version " + response.version());
    for (NamedTensor output : response.outputs()) {
      out.println("  " + output.name() + "  " + TensorText.of(output.tensor()));
    }
    for (Stage stage : Stage.values()) {
      out.printf("  %-8s %8s ms%n", stage.label(), Units.millis(response.latency().nanos(stage)));
    }
    out.printf("  %-8s %8s ms%n", "total", Units.millis(response.latency().totalNanos()));
  }
}
