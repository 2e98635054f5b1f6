package meridian.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static meridian.testkit.contract.Samples.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import meridian.core.error.ErrorCode;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.Stage;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link InferenceService} that executes models keeps to, whether in process or behind a
 * network. It may join requests to batches wherever a graph allows that.
 */
public abstract class InferenceServiceContract {

  /** Would keep a lane busy for longer than any test waits. */
  private static final long FOR_HOURS = 10_000_000 * Graphs.SLOW_ITERATIONS_PER_MILLI;

  @TempDir Path repository;

  private InferenceService service;

  /** Serves every model in {@code repository}, and returns when all are ready. */
  protected abstract InferenceService start(Path repository) throws Exception;

  /** Ends what {@link #start} began. */
  protected abstract void stop() throws Exception;

  /** The clock that the service takes deadlines by. */
  protected NanoClock clock() {
    return NanoClock.SYSTEM;
  }

  @BeforeEach
  final void startService() throws Exception {
    ModelFolder.write(repository, "add2", 1, Graphs.add2());
    ModelFolder.write(repository, "linear", 1, Graphs.linear());
    ModelFolder.write(repository, "gather", 1, Graphs.gather());
    ModelFolder.write(repository, "strings", 1, Graphs.identity(DataType.BYTES));
    ModelFolder.write(repository, "scalar", 1, Graphs.scalar());
    ModelFolder.write(repository, "slow", 1, Graphs.slow());
    service = start(repository);
  }

  @AfterEach
  final void stopService() throws Exception {
    stop();
  }

  @Test
  final void infer_randomRows_givesWhatTheGraphComputes() throws Exception {
    Random random = new Random(1);
    for (int round = 0; round < 50; round++) {
      Tensor x = Samples.floats(random, random.nextInt(1, 20), 4);
      InferResponse response = answered(InferRequest.of("linear", List.of(named("x", x))));
      assertThat(response.model()).isEqualTo("linear");
      assertThat(response.version()).isEqualTo("1");
      assertThat(response.outputs()).extracting(NamedTensor::name).containsExactly("y");
      assertThat(response.outputs().getFirst().tensor().toFloats())
          .containsExactly(Expected.linear(x.toFloats()));
      assertThat(response.latency().nanos(Stage.MODEL)).isPositive();
    }
  }

  @Test
  final void infer_rankZero_staysRankZero() throws Exception {
    Tensor x = Tensor.ofFloats(Shape.SCALAR, 3);
    InferResponse response = answered(InferRequest.of("scalar", List.of(named("x", x))));
    Tensor y = response.outputs().getFirst().tensor();
    assertThat(y.shape()).isEqualTo(Shape.SCALAR);
    assertThat(y.toFloats()).containsExactly(6);
  }

  @Test
  final void infer_noRows_endsAtOnce() throws Exception {
    Tensor x = Tensor.ofFloats(Shape.of(0, 4));
    InferResult result = result(InferRequest.of("linear", List.of(named("x", x))));
    switch (result) {
      case InferResponse response ->
          assertThat(response.outputs().getFirst().tensor().shape()).isEqualTo(Shape.of(0, 3));
      case InferFailure failure ->
          assertThat(failure.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  final void infer_outputsAsked_givesThoseInTheOrderAsked() throws Exception {
    InferRequest request =
        InferRequest.of("add2", add2Inputs(new Random(2), 3))
            .withOutputs(List.of(RequestedOutput.of("OUTPUT1"), RequestedOutput.of("OUTPUT0")));
    assertThat(answered(request).outputs())
        .extracting(NamedTensor::name)
        .containsExactly("OUTPUT1", "OUTPUT0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "", "..", "../linear", "linear/1", "a b"})
  final void infer_noSuchModel_failsAndNamesNoPath(String model) throws Exception {
    InferFailure failure = refused(InferRequest.of(model, List.of()));
    assertThat(failure.problem().code()).isIn(ErrorCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENT);
    assertThat(failure.problem().message()).doesNotContain(repository.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "0", "01", "x", "-1", "99999999999999999999"})
  final void infer_noSuchVersion_fails(String version) throws Exception {
    InferRequest linear = Requests.withVersion(linear(1), version);
    assertThat(refused(linear).problem().code())
        .isIn(ErrorCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  final void infer_unfitInputs_saysWhichAndWhy() throws Exception {
    Tensor good = Samples.floats(new Random(3), 2, 16);
    NamedTensor first = named("INPUT0", good);
    assertInvalid("INPUT1", List.of(first));
    assertInvalid("INPUT2", List.of(first, named("INPUT1", good), named("INPUT2", good)));
    assertInvalid("INPUT0", List.of(first, first, named("INPUT1", good)));
    assertInvalid("[-1,16]", List.of(first, named("INPUT1", Tensor.ofFloats(Shape.of(2), 1, 2))));
    assertInvalid("FP32", List.of(first, named("INPUT1", Tensor.ofLongs(Shape.of(1, 1), 1))));
    assertInvalid("rows", List.of(first, named("INPUT1", Samples.floats(new Random(4), 3, 16))));
  }

  @Test
  final void infer_unknownOutput_saysWhich() throws Exception {
    InferRequest request =
        InferRequest.of("add2", add2Inputs(new Random(5), 1))
            .withOutputs(List.of(RequestedOutput.of("OUTPUT7")));
    InferFailure failure = refused(request);
    assertThat(failure.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure.problem().message()).contains("OUTPUT7");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  final void infer_manyAtOnce_everyOneGetsItsOwn(long seed) throws Exception {
    Random random = new Random(seed);
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      exchanges.add(Exchange.random(random, i));
    }
    List<CompletableFuture<InferResult>> results =
        exchanges.parallelStream()
            .map(exchange -> service.infer(exchange.request()).toCompletableFuture())
            .toList();
    for (int i = 0; i < exchanges.size(); i++) {
      exchanges.get(i).check(results.get(i).get(60, SECONDS));
    }
  }

  @Test
  final void infer_oneBadAmongGood_failsAlone() throws Exception {
    Random random = new Random(6);
    for (int round = 0; round < 100; round++) {
      int bad = random.nextInt(8);
      List<CompletableFuture<InferResult>> results =
          IntStream.range(0, 8)
              .mapToObj(i -> Tensor.ofLongs(Shape.of(1), i == bad ? 1_000 : i))
              .map(ids -> InferRequest.of("gather", List.of(named("ids", ids))))
              .map(request -> service.infer(request).toCompletableFuture())
              .toList();
      for (int i = 0; i < 8; i++) {
        InferResult result = results.get(i).get(60, SECONDS);
        if (i == bad) {
          assertThat(result).isInstanceOf(InferFailure.class);
        } else {
          assertThat(result).isInstanceOf(InferResponse.class);
          assertThat(((InferResponse) result).outputs().getFirst().tensor().toFloats())
              .containsExactly(10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3);
        }
      }
    }
  }

  @Test
  final void infer_deadlinePast_isNotExecuted() throws Exception {
    InferRequest request = slow(FOR_HOURS).withDeadline(Deadline.at(clock().nanos() - 1));
    assertThat(refused(request).problem().code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    answered(linear(1));
  }

  @Test
  final void infer_deadlineFarAway_isAnswered() throws Exception {
    long minute = SECONDS.toNanos(60);
    answered(linear(1).withDeadline(Deadline.after(clock().nanos(), minute)));
  }

  @Test
  final void infer_cancelledBefore_isNotExecuted() throws Exception {
    InferRequest request = slow(FOR_HOURS);
    request.cancellation().cancel();
    assertThat(refused(request).problem().code()).isEqualTo(ErrorCode.CANCELLED);
    answered(linear(1));
  }

  @Test
  final void infer_cancelledWhileQueued_isNotExecuted() throws Exception {
    List<CompletableFuture<InferResult>> ahead =
        IntStream.range(0, 16)
            .mapToObj(_ -> service.infer(slow(50 * Graphs.SLOW_ITERATIONS_PER_MILLI)))
            .map(stage -> stage.toCompletableFuture())
            .toList();
    InferRequest request = slow(FOR_HOURS);
    CompletableFuture<InferResult> result = service.infer(request).toCompletableFuture();
    request.cancellation().cancel();
    assertThat(result.get(60, SECONDS))
        .isInstanceOfSatisfying(
            InferFailure.class,
            failure -> assertThat(failure.problem().code()).isEqualTo(ErrorCode.CANCELLED));
    for (CompletableFuture<InferResult> one : ahead) {
      assertThat(one.get(60, SECONDS)).isInstanceOf(InferResponse.class);
    }
  }

  private void assertInvalid(String named, List<NamedTensor> inputs) throws Exception {
    InferFailure failure = refused(InferRequest.of("add2", inputs));
    assertThat(failure.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure.problem().message()).contains(named);
  }

  private InferResponse answered(InferRequest request) throws Exception {
    InferResult result = result(request);
    assertThat(result).isInstanceOf(InferResponse.class);
    return (InferResponse) result;
  }

  private InferFailure refused(InferRequest request) throws Exception {
    InferResult result = result(request);
    assertThat(result).isInstanceOf(InferFailure.class);
    return (InferFailure) result;
  }

  private InferResult result(InferRequest request) throws Exception {
    return service.infer(request).toCompletableFuture().get(60, SECONDS);
  }

  private static InferRequest linear(int rows) {
    return InferRequest.of(
        "linear", List.of(named("x", Samples.floats(new Random(rows), rows, 4))));
  }

  private static InferRequest slow(long iterations) {
    Tensor count = Tensor.ofLongs(Shape.of(1, 1), iterations);
    return InferRequest.of("slow", List.of(named("iterations", count)));
  }

  static List<NamedTensor> add2Inputs(Random random, int rows) {
    return List.of(
        named("INPUT0", Samples.floats(random, rows, 16)),
        named("INPUT1", Samples.floats(random, rows, 16)));
  }
}
