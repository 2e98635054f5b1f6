package meridian.cli;

import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import meridian.cli.bench.InProcess;
import meridian.cli.bench.Load;
import meridian.cli.bench.LoadShape;
import meridian.cli.bench.LoadTest;
import meridian.cli.bench.Plan;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferenceService;
import meridian.core.model.ModelDescription;
import meridian.core.time.NanoClock;
import meridian.onnx.OnnxRuntimeBackend;
import org.jspecify.annotations.Nullable;

/**
 * The model of {@code --limit}, loaded in this process, with the load for it.
 *
 * @param model null when no limit was asked for, as the others
 */
record LimitRun(
    @Nullable Backend backend,
    @Nullable LoadedModel model,
    @Nullable ExecutorService threads,
    LoadTest.@Nullable Target target)
    implements AutoCloseable {

  static LimitRun open(
      LimitOptions options, LoadOptions load, WorkOptions work, ModelDescription description)
      throws CommandException {
    Path file = options.file();
    Plan.Limit plan = options.plan(work.rows());
    if (file == null || plan == null) {
      return new LimitRun(null, null, null, null);
    }
    Backend backend = OnnxRuntimeBackend.open();
    LoadedModel loaded;
    try {
      loaded = backend.load(file, Backend.ExecutionSettings.SINGLE_THREAD);
    } catch (ModelLoadException failed) {
      backend.close();
      throw new CommandException("--limit: " + failed.getMessage());
    }
    InProcess inProcess = new InProcess(loaded, NanoClock.SYSTEM);
    ExecutorService threads = Executors.newFixedThreadPool(plan.threads());
    Load runs = load(load, inProcess, threads, plan, work.requests(description, plan.rows()));
    return new LimitRun(
        backend,
        loaded,
        threads,
        new LoadTest.Target(runs, () -> OptionalLong.of(inProcess.cpuNanos()), () -> 0));
  }

  private static Load load(
      LoadOptions load,
      InferenceService model,
      ExecutorService threads,
      Plan.Limit plan,
      Supplier<InferRequest> requests) {
    if (!load.isClosed()) {
      return load.shape().of(model, requests);
    }
    InferenceService onThreads =
        request -> CompletableFuture.supplyAsync(() -> request, threads).thenCompose(model::infer);
    return new LoadShape.Closed(plan.threads(), NanoClock.SYSTEM).of(onThreads, requests);
  }

  @Override
  public void close() {
    if (threads != null) {
      threads.close();
    }
    if (model != null) {
      model.close();
    }
    if (backend != null) {
      backend.close();
    }
  }
}
