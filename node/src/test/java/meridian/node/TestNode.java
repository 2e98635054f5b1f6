package meridian.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.core.time.NanoClock;
import meridian.node.lifecycle.LifecycleSettings;
import meridian.onnx.OnnxRuntimeBackend;
import meridian.serving.telemetry.Metrics;

/**
 * A node on ONNX Runtime that looks at its repository when told. Closing it checks that every model
 * was closed, once, and not while it ran.
 */
final class TestNode implements AutoCloseable {

  private static final Duration SETTLE = Duration.ofSeconds(1);
  private static final LifecycleSettings BY_HAND =
      new LifecycleSettings(
          true, Duration.ZERO, SETTLE, 2, Duration.ofSeconds(5), Duration.ofSeconds(30));

  final FaultyBackend backend = new FaultyBackend(OnnxRuntimeBackend.open());
  final Metrics metrics = Metrics.create();
  final Node node;

  private long nowNanos = NanoClock.SYSTEM.nanos();

  private TestNode(Path repository, UnaryOperator<NodeSettings> change, boolean holdLoads) {
    if (holdLoads) {
      backend.holdLoads();
    }
    NodeSettings settings = NodeSettings.defaults(repository).withLanes(2).withLifecycle(BY_HAND);
    node =
        Node.start(
            change.apply(settings), backend, metrics, NanoClock.SYSTEM, InstantSource.system());
  }

  /** Everything in the repository has been tried. */
  static TestNode start(Path repository) {
    return start(repository, UnaryOperator.identity());
  }

  static TestNode start(Path repository, UnaryOperator<NodeSettings> change) {
    TestNode started = new TestNode(repository, change, false);
    join(started.node.firstScan());
    return started;
  }

  /** No load gets through until {@link FaultyBackend#releaseLoads()}. */
  static TestNode startHeld(Path repository) {
    return new TestNode(repository, UnaryOperator.identity(), true);
  }

  static NodeSettings explicit(NodeSettings settings) {
    return settings.withLifecycle(settings.lifecycle().withLoadAll(false));
  }

  /** One look at the repository, a moment after the last. */
  void glance() {
    nowNanos += SETTLE.toNanos() / 10;
    join(node.pollOnce(nowNanos));
  }

  /** Two looks, the second when files have had the time to settle. */
  void poll() {
    glance();
    nowNanos += SETTLE.toNanos();
    join(node.pollOnce(nowNanos));
  }

  InferResult infer(InferRequest request) {
    return join(node.infer(request));
  }

  InferResult infer(String model, String input, Tensor tensor) {
    return infer(request(model, input, tensor));
  }

  /** The only output. */
  Tensor output(String model, String input, Tensor tensor) {
    return only(infer(model, input, tensor));
  }

  Tensor outputOf(String model, String version, String input, Tensor tensor) {
    InferRequest any = request(model, input, tensor);
    return only(
        infer(
            new InferRequest(
                model,
                version,
                any.id(),
                any.parameters(),
                any.inputs(),
                any.outputs(),
                any.deadline(),
                any.priority(),
                any.cancellation(),
                InferRequest.NO_TENANT)));
  }

  Map<String, String> properties(String model) {
    assertThat(node.describe(model, null)).isInstanceOf(Outcome.Ok.class);
    return ((Outcome.Ok<ModelDescription>) node.describe(model, null)).value().properties();
  }

  Problem problem(String model, String input, Tensor tensor) {
    return problem(infer(model, input, tensor));
  }

  Outcome<List<VersionStatus>> load(String model) {
    return join(node.load(LoadRequest.of(model)));
  }

  Outcome<List<VersionStatus>> unload(String model) {
    return join(node.unload(model));
  }

  /** The line of the index. */
  VersionStatus status(String model, String version) {
    return node.index().stream()
        .filter(line -> line.name().equals(model) && line.version().equals(version))
        .findFirst()
        .orElseThrow(() -> new AssertionError("not in " + node.index()));
  }

  boolean isIn(ModelState state, String model, String version) {
    return node.index().stream()
        .anyMatch(
            line ->
                line.name().equals(model)
                    && line.version().equals(version)
                    && line.state() == state);
  }

  ModelState state(String model, String version) {
    return status(model, version).state();
  }

  static InferRequest request(String model, String input, Tensor tensor) {
    return InferRequest.of(model, List.of(new NamedTensor(input, tensor)));
  }

  static Tensor only(InferResult result) {
    assertThat(result).isInstanceOf(InferResponse.class);
    return ((InferResponse) result).outputs().getFirst().tensor();
  }

  static Problem problem(InferResult result) {
    assertThat(result).isInstanceOf(InferFailure.class);
    return ((InferFailure) result).problem();
  }

  static Problem problem(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed<?>) outcome).problem();
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  static void await(BooleanSupplier condition) {
    long deadline = NanoClock.SYSTEM.nanos() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(NanoClock.SYSTEM.nanos()).as("time left to wait").isLessThan(deadline);
      LockSupport.parkNanos(100_000);
    }
  }

  @Override
  public void close() {
    node.close();
    backend.close();
    assertThat(backend.violations()).isEmpty();
    assertThat(backend.live()).as("models not closed").isZero();
  }
}
