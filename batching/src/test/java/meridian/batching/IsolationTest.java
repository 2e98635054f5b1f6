package meridian.batching;

import static meridian.batching.LanesUnderTest.assertRefused;
import static meridian.batching.LanesUnderTest.assertTwice;
import static meridian.batching.LanesUnderTest.done;
import static meridian.batching.LanesUnderTest.refused;
import static meridian.batching.LanesUnderTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import meridian.core.backend.ExecutionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One request's fault is never another's. */
class IsolationTest {

  @RegisterExtension private final LanesUnderTest under = new LanesUnderTest();

  private final Arithmetic model = new Arithmetic();

  static IntStream sizes() {
    return IntStream.rangeClosed(2, 17);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void run_onePoisonRequest_failsAloneAtBoundedCost(int size) throws Exception {
    for (int poison = 0; poison < size; poison++) {
      Arithmetic fresh = new Arithmetic();
      List<CompletionStage<WorkResult>> results = runTogether(fresh, size, Set.of(poison));
      assertOnlyPoisonFailed(results, Set.of(poison));
      int further = fresh.runs().size() - 2;
      assertThat((double) further).isLessThanOrEqualTo(2 * Math.log(size) / Math.log(2) + 1e-9);
    }
  }

  @Test
  void run_everyPairOfPoisonRequests_failAloneAtBoundedCost() throws Exception {
    for (int first = 0; first < 8; first++) {
      for (int second = first + 1; second < 8; second++) {
        Arithmetic fresh = new Arithmetic();
        Set<Integer> poison = Set.of(first, second);
        assertOnlyPoisonFailed(runTogether(fresh, 8, poison), poison);
        assertThat(fresh.runs().size() - 2).isLessThanOrEqualTo(2 * 2 * 3);
      }
    }
  }

  @Test
  void run_poisonAlone_failsWithItsMessageAndTheLaneGoesOn() {
    ModelQueue queue = open(model);
    Problem problem = refused(queue.submit(Requests.of(-3)));
    assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(problem.message()).isEqualTo("x: -3.0 (expected: 0 or more)");
    assertTwice(queue.submit(Requests.of(3)), 3);
    assertThat(model.executed()).containsExactly(1);
  }

  @Test
  void run_cancelledBetweenHalves_isNotRunAgain() throws Exception {
    Work second = Requests.of(2);
    BatchRunner cancelling =
        (inputs, outputs, stop) -> {
          if (inputs.getFirst().tensor().shape().dim(0) == 2) {
            second.cancellation().cancel();
          }
          return model.run(inputs, outputs, stop);
        };
    ModelQueue queue = open(cancelling);
    queue.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    CompletionStage<WorkResult> poison = queue.submit(Requests.of(-1));
    CompletionStage<WorkResult> cancelled = queue.submit(second);
    model.release();
    assertRefused(poison, ErrorCode.INTERNAL);
    assertRefused(cancelled, ErrorCode.CANCELLED);
    assertThat(model.runs()).containsExactly(1, 2, 1);
    assertThat(queue.accounting()).isEqualTo(new Accounting(3, 3, 0, 0, 0, 0));
  }

  @Test
  void run_nobodyWaitsForAnyMore_isStoppedAndNotRunAgain() throws Exception {
    Work first = Requests.of(1);
    Work second = Requests.of(2);
    AtomicInteger stops = new AtomicInteger();
    BatchRunner stopped =
        (inputs, outputs, stop) -> {
          List<NamedTensor> results = model.run(inputs, outputs, stop);
          if (inputs.getFirst().tensor().shape().dim(0) == 2) {
            first.cancellation().cancel();
            assertThat(stop.isCancelled()).isFalse();
            second.cancellation().cancel();
            assertThat(stop.isCancelled()).isTrue();
            stops.incrementAndGet();
            throw new ExecutionException("stopped");
          }
          return results;
        };
    ModelQueue queue = open(stopped);
    queue.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    List<CompletionStage<WorkResult>> both = List.of(queue.submit(first), queue.submit(second));
    model.release();
    both.forEach(stage -> assertRefused(stage, ErrorCode.CANCELLED));
    assertThat(stops).hasValue(1);
    assertThat(model.runs()).containsExactly(1, 2);
  }

  @Test
  void run_aloneAndStopped_isCancelledAndNoFailureOfTheModel() {
    Work work = Requests.of(1);
    ModelQueue queue =
        open(
            (_, _, stop) -> {
              work.cancellation().cancel();
              assertThat(stop.isCancelled()).isTrue();
              throw new ExecutionException("stopped");
            });
    assertRefused(queue.submit(work), ErrorCode.CANCELLED);
  }

  @Test
  void run_errorFromTheRunner_failsTheOneAndIsReported() {
    Error error = new StackOverflowError("deep");
    BatchRunner broken =
        (inputs, outputs, stop) -> {
          if (inputs.getFirst().tensor().toFloats()[0] == 7) {
            throw error;
          }
          return model.run(inputs, outputs, stop);
        };
    ModelQueue queue = open(broken);
    Problem problem = refused(queue.submit(Requests.of(7)));
    assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(problem.message()).isEqualTo("model: java.lang.StackOverflowError: deep");
    assertThat(under.takeThrown()).containsExactly(error);
    assertTwice(queue.submit(Requests.of(1)), 1);
  }

  @Test
  void run_exceptionFromTheListener_losesNoAnswer() {
    IllegalStateException bug = new IllegalStateException("listener");
    Lanes lanes = under.start(1, NanoClock.SYSTEM);
    BatchListener broken =
        (_, _, _, _) -> {
          throw bug;
        };
    ModelQueue queue = under.open(lanes, settings(8, true, 100), model, broken);
    assertTwice(queue.submit(Requests.of(1)), 1);
    assertTwice(queue.submit(Requests.of(2)), 2);
    assertThat(under.takeThrown()).containsExactly(bug, bug);
  }

  @Test
  void run_outputMissing_isAnErrorThatNamesIt() {
    ModelQueue queue = open(model);
    Problem problem = refused(queue.submit(Requests.of(Set.of("thrice"), 1)));
    assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(problem.message())
        .isEqualTo("outputs: no \"thrice\" from the model (expected: [thrice])");
  }

  @Test
  void run_graphThatReducesTheBatch_neverGivesSomeoneElsesRows() throws Exception {
    List<Integer> runs = new ArrayList<>();
    ModelQueue queue = open(summing(runs));
    List<CompletionStage<WorkResult>> three = submitTogether(queue, model, 1, 2, 3);
    for (int i = 0; i < three.size(); i++) {
      assertTwice(three.get(i), i + 1);
    }
    assertThat(runs).containsExactly(1, 3, 1, 1, 1);
  }

  @Test
  void run_graphCaughtOnce_isNeverMixedAgain() throws Exception {
    List<Integer> runs = new ArrayList<>();
    ModelQueue queue = open(summing(runs));
    submitTogether(queue, model, 1, 2).forEach(LanesUnderTest::done);
    submitTogether(queue, model, 3, 4).forEach(LanesUnderTest::done);
    assertThat(runs).containsExactly(1, 2, 1, 1, 1, 1, 1);
  }

  @Test
  void run_graphThatReducesTheBatchAlone_isAnErrorThatNamesTheShape() {
    ModelQueue queue = open(summing(new ArrayList<>()));
    Problem problem = refused(queue.submit(Requests.of(4, 5)));
    assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(problem.message())
        .isEqualTo(
            "outputs[\"twice\"].shape: [1,1] from the model"
                + " (expected: 2 rows, as the inputs have)");
  }

  @Test
  void run_graphThatReducesTheBatchInAQueueThatDoesNotMix_answersAsItIs() {
    Lanes lanes = under.start(1, NanoClock.SYSTEM);
    ModelQueue queue = under.open(lanes, settings(8, false, 100), summing(new ArrayList<>()));
    assertTwice(queue.submit(Requests.of(4, 5)), 9);
  }

  @Test
  void run_outputsThatCannotBeCut_areNobodysButTheirOwn() throws Exception {
    BatchRunner broken =
        (inputs, outputs, stop) -> {
          long rows = model.run(inputs, outputs, stop).getFirst().tensor().shape().dim(0);
          MemorySegment noFraming = MemorySegment.ofArray(new byte[] {9, 0, 0, 0});
          Tensor tensor = new Tensor(DataType.BYTES, Shape.of(rows), noFraming);
          return List.of(new NamedTensor("twice", tensor));
        };
    for (CompletionStage<WorkResult> result : submitTogether(open(broken), model, 1, 2, 3)) {
      assertThat(done(result).batchRows()).isEqualTo(1);
    }
  }

  private ModelQueue open(BatchRunner runner) {
    Lanes lanes = under.start(1, NanoClock.SYSTEM);
    return under.open(lanes, settings(32, true, 100), runner, model);
  }

  /** A graph whose output has one row, the sum of all. */
  private BatchRunner summing(List<Integer> runs) {
    return (inputs, outputs, stop) -> {
      List<NamedTensor> rows = model.run(inputs, outputs, stop);
      runs.add(Math.toIntExact(rows.getFirst().tensor().shape().dim(0)));
      float sum = 0;
      for (float value : rows.getFirst().tensor().toFloats()) {
        sum += value;
      }
      return List.of(new NamedTensor("twice", Tensor.ofFloats(Shape.of(1, 1), sum)));
    };
  }

  private List<CompletionStage<WorkResult>> runTogether(
      Arithmetic model, int size, Set<Integer> poison) throws InterruptedException {
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = poison.contains(i) ? -i - 1 : i;
    }
    return submitTogether(open(model), model, values);
  }

  /** Submits while the lane is held, and lets it go on. */
  private static List<CompletionStage<WorkResult>> submitTogether(
      ModelQueue queue, Arithmetic model, float... values) throws InterruptedException {
    queue.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    List<CompletionStage<WorkResult>> results = new ArrayList<>();
    for (float value : values) {
      results.add(queue.submit(Requests.of(value)));
    }
    model.release();
    results.forEach(LanesUnderTest::await);
    return results;
  }

  private static void assertOnlyPoisonFailed(
      List<CompletionStage<WorkResult>> results, Set<Integer> poison) {
    for (int i = 0; i < results.size(); i++) {
      if (poison.contains(i)) {
        assertThat(refused(results.get(i)).message())
            .isEqualTo("x: " + (float) (-i - 1) + " (expected: 0 or more)");
      } else {
        assertTwice(results.get(i), i);
      }
    }
  }
}
