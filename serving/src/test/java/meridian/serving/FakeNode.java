package meridian.serving;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.infer.Parameters;
import meridian.core.latency.ExecutionTimes;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelControl;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelState;
import meridian.core.model.ModelStatistics;
import meridian.core.model.Signature;
import meridian.core.model.SignatureCheck;
import meridian.core.model.VersionPolicy;
import meridian.core.model.VersionStatus;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/**
 * Models of plain code: {@code echo} gives back its FP32 input, {@code text} its BYTES, {@code
 * held} waits until the test answers, {@code evicting} refuses one that is held, {@code blocking}
 * holds up the thread that asks, {@code broken} has a bug, {@code unlinked} lacks a library, {@code
 * failing} fails, {@code loading} is not there yet. Every one has a queue time of 2 ms and a model
 * time of 3 ms.
 */
final class FakeNode implements InferenceService, ModelCatalog, ModelControl {

  static final LatencyBreakdown WORKED = new LatencyBreakdown(0, 0, 2_000_000, 3_000_000, 0);

  final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
  final CountDownLatch blocked = new CountDownLatch(1);
  final CompletableFuture<Void> unblock = new CompletableFuture<>();
  final AtomicInteger calls = new AtomicInteger();
  volatile boolean ready = true;

  record Held(InferRequest request, CompletableFuture<InferResult> answer) {
    void finish() {
      answer.complete(answerTo(request));
    }
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    calls.incrementAndGet();
    return switch (describe(request.model(), request.version())) {
      case Outcome.Failed<ModelDescription>(Problem problem) ->
          CompletableFuture.completedStage(InferFailure.of(problem));
      case Outcome.Ok<ModelDescription>(ModelDescription model) -> {
        Problem problem =
            SignatureCheck.check(model.signature(), request.inputs(), request.outputs());
        yield problem == null
            ? run(request)
            : CompletableFuture.completedStage(InferFailure.of(problem));
      }
    };
  }

  private CompletionStage<InferResult> run(InferRequest request) {
    return switch (request.model()) {
      case "held" -> {
        Held one = new Held(request, new CompletableFuture<>());
        held.add(one);
        yield one.answer;
      }
      case "blocking" -> {
        blocked.countDown();
        unblock.join();
        yield CompletableFuture.completedStage(answerTo(request));
      }
      case "evicting" -> {
        Held one = held.remove();
        one.answer.complete(
            InferFailure.of(Problem.of(ErrorCode.OVERLOADED, "queue: another came first")));
        yield CompletableFuture.completedStage(answerTo(request));
      }
      case "broken" -> throw new IllegalStateException("a bug");
      case "unlinked" -> throw new NoClassDefFoundError("a missing library");
      case "failing" ->
          CompletableFuture.completedStage(
              InferFailure.of(Problem.of(ErrorCode.INTERNAL, "model: failed")));
      default -> CompletableFuture.completedStage(answerTo(request));
    };
  }

  static InferResponse answerTo(InferRequest request) {
    List<NamedTensor> outputs = new ArrayList<>();
    for (NamedTensor input : request.inputs()) {
      Tensor tensor = input.tensor();
      MemorySegment copy = MemorySegment.ofArray(tensor.data().toArray(ValueLayout.JAVA_BYTE));
      outputs.add(new NamedTensor("y", new Tensor(tensor.type(), tensor.shape(), copy)));
    }
    return new InferResponse(request.model(), "3", request.id(), Parameters.NONE, outputs, WORKED);
  }

  @Override
  public Outcome<ModelDescription> describe(String name, String version) {
    return switch (name) {
      case "loading" ->
          Outcome.failed(
              Problem.retryLater(
                  ErrorCode.UNAVAILABLE, "model: loading is loading", Duration.ofMillis(1_500)));
      case "echo", "held", "evicting", "blocking", "broken", "unlinked", "failing", "text" ->
          version == null || version.equals("3")
              ? Outcome.ok(description(name))
              : Outcome.failed(Problem.of(ErrorCode.NOT_FOUND, "version: unknown"));
      default -> Outcome.failed(Problem.of(ErrorCode.NOT_FOUND, "model: unknown"));
    };
  }

  private static ModelDescription description(String name) {
    Signature signature =
        name.equals("text")
            ? new Signature(
                List.of(TensorSpec.of("x", DataType.BYTES, -1)),
                List.of(TensorSpec.of("y", DataType.BYTES, -1)),
                true)
            : new Signature(
                List.of(TensorSpec.of("x", DataType.FP32, -1, 2)),
                List.of(TensorSpec.of("y", DataType.FP32, -1, 2)),
                true);
    return new ModelDescription(name, "3", List.of("3"), "code", signature, Map.of());
  }

  @Override
  public Outcome<ModelConfiguration> configuration(String name, String version) {
    return describe(name, version)
        .map(
            model ->
                new ModelConfiguration(
                    name,
                    "code",
                    "code",
                    VersionPolicy.latest(),
                    8,
                    model.signature().inputs(),
                    model.signature().outputs(),
                    Map.of(),
                    1,
                    "model.onnx",
                    Map.of()));
  }

  @Override
  public Outcome<List<ModelStatistics>> statistics(String name, String version) {
    return name == null
        ? Outcome.ok(List.of(counters("echo"), counters("text")))
        : describe(name, version).map(model -> List.of(counters(name)));
  }

  @Override
  public Outcome<ExecutionTimes> executionTimes(String name, String version) {
    TensorSpec input = TensorSpec.of("x", DataType.FP32, -1, 4);
    return describe(name, version)
        .map(
            _ ->
                new ExecutionTimes(
                    List.of(new ExecutionTimes.Entry(List.of(input), 8, 3_000_000, 4_500_000, 7))));
  }

  private static ModelStatistics counters(String name) {
    ModelStatistics.Tally none = ModelStatistics.Tally.NONE;
    return new ModelStatistics(
        name,
        "3",
        0,
        7,
        5,
        new ModelStatistics.Inferences(none, none, none, none, none, none, none, none),
        List.of());
  }

  @Override
  public List<VersionStatus> index() {
    return List.of(
        new VersionStatus("echo", "3", ModelState.READY, ""),
        new VersionStatus("loading", "1", ModelState.LOADING, "reading"));
  }

  @Override
  public boolean ready() {
    return ready;
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> load(LoadRequest request) {
    return CompletableFuture.supplyAsync(
        () ->
            request.name().equals("echo")
                ? Outcome.ok(index())
                : Outcome.failed(Problem.of(ErrorCode.NOT_FOUND, "model: unknown")));
  }

  @Override
  public CompletionStage<Outcome<List<VersionStatus>>> unload(String name) {
    return load(LoadRequest.of(name));
  }
}
