package meridian.onnx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import meridian.core.backend.Backend;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import meridian.core.model.SignatureCheck;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.NanoClock;

/** The least that serves models: one thread, no batches. Shows that the contract can be kept. */
final class DirectService implements InferenceService, AutoCloseable {

  private final Backend backend = OnnxRuntimeBackend.open();
  private final ExecutorService lane = Executors.newSingleThreadExecutor();
  private final Map<String, LoadedModel> models = new HashMap<>();

  DirectService(Path repository) throws IOException, ModelLoadException {
    try (Stream<Path> folders = Files.list(repository)) {
      for (Path folder : folders.toList()) {
        models.put(
            folder.getFileName().toString(),
            backend.load(
                folder.resolve("1/model.onnx"), new Backend.ExecutionSettings(List.of(), 1)));
      }
    }
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    LoadedModel model = models.get(request.model());
    if (model == null || (request.version() != null && !request.version().equals("1"))) {
      return failed(Problem.of(ErrorCode.NOT_FOUND, "model: " + request.model()));
    }
    Problem problem = SignatureCheck.check(model.signature(), request.inputs(), request.outputs());
    return problem != null
        ? failed(problem)
        : CompletableFuture.supplyAsync(() -> execute(model, request), lane);
  }

  @Override
  public void close() {
    lane.close();
    models.values().forEach(LoadedModel::close);
    backend.close();
  }

  private static InferResult execute(LoadedModel model, InferRequest request) {
    if (request.cancellation().isCancelled()) {
      return InferFailure.of(Problem.of(ErrorCode.CANCELLED, "cancelled"));
    }
    long start = NanoClock.SYSTEM.nanos();
    if (request.deadline().isPast(start)) {
      return InferFailure.of(Problem.of(ErrorCode.DEADLINE_EXCEEDED, "too late"));
    }
    try {
      List<NamedTensor> outputs = asked(model, request);
      long nanos = NanoClock.SYSTEM.nanos() - start;
      return new InferResponse(
          request.model(),
          "1",
          request.id(),
          Parameters.NONE,
          outputs,
          LatencyBreakdown.of(Stage.MODEL, nanos));
    } catch (ExecutionException e) {
      return InferFailure.of(Problem.of(ErrorCode.INTERNAL, e.getMessage()));
    }
  }

  private static List<NamedTensor> asked(LoadedModel model, InferRequest request)
      throws ExecutionException {
    List<String> names =
        request.outputs().isEmpty()
            ? model.signature().outputs().stream().map(TensorSpec::name).toList()
            : request.outputs().stream().map(RequestedOutput::name).toList();
    Map<String, NamedTensor> outputs =
        model.run(request.inputs(), Set.copyOf(names)).stream()
            .collect(Collectors.toMap(NamedTensor::name, output -> output));
    List<NamedTensor> ordered = new ArrayList<>();
    names.forEach(name -> ordered.add(outputs.get(name)));
    return ordered;
  }

  private static CompletionStage<InferResult> failed(Problem problem) {
    return CompletableFuture.completedStage(InferFailure.of(problem));
  }
}
