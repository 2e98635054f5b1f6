package meridian.batching;

import static meridian.batching.LanesUnderTest.assertTwice;
import static meridian.batching.LanesUnderTest.done;
import static meridian.batching.LanesUnderTest.refused;
import static meridian.batching.LanesUnderTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LanesTest {

  @RegisterExtension private final LanesUnderTest under = new LanesUnderTest();

  private final Arithmetic model = new Arithmetic();

  @Test
  void submit_idleLane_runsAtOnceAlone() {
    ModelQueue queue = open(1, settings(8, true, 8));
    for (int i = 0; i < 20; i++) {
      assertTwice(queue.submit(Requests.of(i)), i);
    }
    assertThat(model.runs()).hasSize(20).containsOnly(1);
  }

  @Test
  void submit_eightWhileBusy_runAsOne() throws Exception {
    ModelQueue queue = held(settings(8, true, 100));
    List<CompletionStage<WorkResult>> eight = submit(queue, 8);
    model.release();
    assertAllTwice(eight);
    assertThat(model.runs()).containsExactly(1, 8);
  }

  @Test
  void submit_twelveWhileBusy_fullBatchFirst() throws Exception {
    ModelQueue queue = held(settings(8, true, 100));
    List<CompletionStage<WorkResult>> twelve = submit(queue, 12);
    model.release();
    assertAllTwice(twelve);
    assertThat(model.runs()).containsExactly(1, 8, 4);
    assertThat(model.executed()).containsExactly(1, 8, 4);
  }

  @Test
  void submit_requestsOfFiveRows_neverExceedTheBatch() throws Exception {
    ModelQueue queue = held(settings(8, true, 100));
    List<CompletionStage<WorkResult>> results = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      results.add(queue.submit(Requests.of(i, i, i, i, i)));
    }
    for (int i = 0; i < 3; i++) {
      results.add(queue.submit(Requests.of(i, i, i)));
    }
    model.release();
    results.forEach(LanesUnderTest::done);
    assertThat(model.runs()).containsExactly(1, 5, 5, 5, 5, 5, 5, 5, 5, 5, 8, 6);
  }

  @Test
  void submit_requestsWithoutRows_areAnsweredAloneAndInCompany() throws Exception {
    ModelQueue queue = held(settings(8, true, 100));
    CompletionStage<WorkResult> empty = queue.submit(Requests.of());
    CompletionStage<WorkResult> one = queue.submit(Requests.of(3));
    model.release();
    assertTwice(empty);
    assertTwice(one, 3);
    assertTwice(queue.submit(Requests.of()));
    assertThat(model.runs()).containsExactly(1, 1, 0);
  }

  @Test
  void submit_differentOutputsWanted_oneRunAndEachItsOwn() throws Exception {
    ModelQueue queue = held(settings(8, true, 100));
    CompletionStage<WorkResult> twice = queue.submit(Requests.of(Set.of("twice"), 1));
    CompletionStage<WorkResult> minus = queue.submit(Requests.of(Set.of("minus"), 2, 3));
    CompletionStage<WorkResult> both = queue.submit(Requests.of(Set.of("twice", "minus"), 4));
    model.release();
    assertTwice(twice, 1);
    assertThat(names(minus)).containsExactly("minus");
    assertThat(floats(minus, 0)).containsExactly(-2, -3);
    assertThat(names(both)).containsExactly("minus", "twice");
    assertThat(floats(both, 0)).containsExactly(-4);
    assertThat(floats(both, 1)).containsExactly(8);
    assertThat(model.runs()).containsExactly(1, 4);
    assertThat(done(both).batchRows()).isEqualTo(4);
  }

  @Test
  void submit_queueThatDoesNotMix_runsEachAlone() throws Exception {
    ModelQueue queue = held(settings(8, false, 100));
    List<CompletionStage<WorkResult>> three = submit(queue, 3);
    model.release();
    assertAllTwice(three);
    assertThat(model.runs()).containsExactly(1, 1, 1, 1);
  }

  @Test
  void submit_boundOfTwoRows_runningPlusTwoAccepted() throws Exception {
    ModelQueue queue = held(settings(8, false, 2));
    List<CompletionStage<WorkResult>> ten = submit(queue, 9);
    assertThat(queue.depthRows()).isEqualTo(2);
    for (CompletionStage<WorkResult> over : ten.subList(2, 9)) {
      Problem problem = refused(over);
      assertThat(problem.code()).isEqualTo(ErrorCode.OVERLOADED);
      assertThat(problem.retryAfter()).isPositive();
    }
    model.release();
    assertAllTwice(ten.subList(0, 2));
    assertThat(queue.accounting()).isEqualTo(new Accounting(10, 3, 7, 0, 0, 0));
  }

  @Test
  void submit_severalLanes_eachRunsOne() throws Exception {
    Lanes lanes = under.start(2, NanoClock.SYSTEM);
    ModelQueue queue = under.open(lanes, settings(8, true, 0), model);
    CompletionStage<WorkResult> holding = queue.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    assertTwice(queue.submit(Requests.of(5)), 5);
    assertThat(lanes.busy()).isPositive();
    assertThat(lanes.count()).isEqualTo(2);
    model.release();
    done(holding);
  }

  @Test
  void submit_answer_comesOnTheLane() {
    ModelQueue queue = heldBack(settings(8, true, 0));
    CompletableFuture<String> thread =
        queue
            .submit(Requests.of(1))
            .thenApply(_ -> Thread.currentThread().getName())
            .toCompletableFuture();
    under.go();
    assertThat(thread.orTimeout(30, TimeUnit.SECONDS).join()).startsWith("lane-");
  }

  @Test
  void submit_offHeapInputAlone_isPassedThroughWhileHeapIsCopied() {
    List<MemorySegment> seen = new ArrayList<>();
    BatchRunner runner =
        (inputs, outputs, stop) -> {
          seen.add(inputs.getFirst().tensor().data());
          return model.run(inputs, outputs, stop);
        };
    ModelQueue queue = open(1, settings(8, true, 8), runner);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocate(4, 64);
      data.set(Tensor.FP32, 0, 3f);
      Tensor x = new Tensor(DataType.FP32, Shape.of(1, 1), data);
      Work work = Requests.work(List.of(new NamedTensor("x", x)), 1, Requests.TWICE);
      assertTwice(queue.submit(work), 3);
      assertTwice(queue.submit(Requests.of(4)), 4);
      assertThat(seen.get(0).address()).isEqualTo(data.address());
      assertThat(seen.get(1).isNative()).isTrue();
    }
  }

  @Test
  void submit_manualClock_givesQueueAndModelTime() {
    ManualClock clock = new ManualClock();
    Lanes lanes = under.startHeldBack(1, clock);
    BatchRunner slow =
        (inputs, outputs, stop) -> {
          clock.advance(Duration.ofMillis(7));
          return model.run(inputs, outputs, stop);
        };
    List<Long> told = new ArrayList<>();
    BatchListener listener =
        (rows, requests, queueNanosOldest, modelNanos) ->
            told.addAll(List.of((long) rows, (long) requests, queueNanosOldest, modelNanos));
    ModelQueue queue = under.open(lanes, settings(8, true, 8), slow, listener);
    CompletionStage<WorkResult> first = queue.submit(Requests.of(1));
    clock.advance(Duration.ofMillis(3));
    CompletionStage<WorkResult> second = queue.submit(Requests.of(2, 3));
    under.go();
    assertThat(done(first).latency())
        .isEqualTo(new LatencyBreakdown(0, 0, 3_000_000, 7_000_000, 0));
    assertThat(done(second).latency())
        .isEqualTo(new LatencyBreakdown(0, 0, 7_000_000, 7_000_000, 0));
    assertThat(told)
        .containsExactly(1L, 1L, 3_000_000L, 7_000_000L, 2L, 1L, 7_000_000L, 7_000_000L);
  }

  private ModelQueue open(int lanes, QueueSettings settings) {
    return open(lanes, settings, model);
  }

  private ModelQueue open(int lanes, QueueSettings settings, BatchRunner runner) {
    return under.open(under.start(lanes, NanoClock.SYSTEM), settings, runner, model);
  }

  private ModelQueue heldBack(QueueSettings settings) {
    return under.open(under.startHeldBack(1, NanoClock.SYSTEM), settings, model);
  }

  /** A queue whose one lane is busy until {@link Arithmetic#release}. */
  private ModelQueue held(QueueSettings settings) throws InterruptedException {
    ModelQueue queue = open(1, settings);
    queue.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    return queue;
  }

  private static List<CompletionStage<WorkResult>> submit(ModelQueue queue, int count) {
    List<CompletionStage<WorkResult>> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      results.add(queue.submit(Requests.of(i)));
    }
    return results;
  }

  private static void assertAllTwice(List<CompletionStage<WorkResult>> results) {
    for (int i = 0; i < results.size(); i++) {
      assertTwice(results.get(i), i);
    }
  }

  private static List<String> names(CompletionStage<WorkResult> stage) {
    return done(stage).outputs().stream().map(NamedTensor::name).toList();
  }

  private static float[] floats(CompletionStage<WorkResult> stage, int output) {
    return done(stage).outputs().get(output).tensor().toFloats();
  }
}
