package meridian.batching;

import static meridian.batching.LanesUnderTest.assertRefused;
import static meridian.batching.LanesUnderTest.assertTwice;
import static meridian.batching.LanesUnderTest.done;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Executions that run on the thread that submits them, in the place of a lane. */
class BriefExecutionTest {

  private static final long BRIEF_NANOS = Ticket.BRIEF.toNanos();

  @RegisterExtension private final LanesUnderTest under = new LanesUnderTest();

  private final Arithmetic model = new Arithmetic();
  private final List<Thread> threads = new ArrayList<>();
  private final BatchRunner noting =
      (inputs, outputs, stop) -> {
        threads.add(Thread.currentThread());
        return model.run(inputs, outputs, stop);
      };

  @Test
  void submit_briefWhileAllLanesAreIdle_isAnsweredHereBeforeItReturns() {
    Lanes lanes = start(2);
    ModelQueue queue = open(lanes, steady(true), BRIEF_NANOS, noting);
    for (int i = 0; i < 20; i++) {
      CompletionStage<WorkResult> result = queue.submit(Requests.of(i));
      assertThat(result.toCompletableFuture()).isDone();
      assertTwice(result, i);
    }
    assertThat(threads).hasSize(20).containsOnly(Thread.currentThread());
    assertThat(lanes.busy()).isZero();
    assertThat(queue.accounting()).isEqualTo(new Accounting(20, 20, 0, 0, 0, 0));
  }

  @Test
  void submit_longerThanBrief_runsOnALane() {
    assertRunsOnALane(open(start(2), steady(true), BRIEF_NANOS + 1, noting));
  }

  @Test
  void submit_timeDependsOnValues_runsOnALane() {
    assertRunsOnALane(open(start(2), steady(false), BRIEF_NANOS, noting));
  }

  @Test
  void submit_timeIsNotKnown_runsOnALane() {
    assertRunsOnALane(under.open(start(2), steady(true), noting, model));
  }

  @Test
  void submit_anotherLaneIsBusy_runsOnALane() throws Exception {
    Lanes lanes = start(2);
    ModelQueue holding = under.open(lanes, steady(true), model);
    ModelQueue queue = open(lanes, steady(true), BRIEF_NANOS, noting);
    CompletionStage<WorkResult> held = holding.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    assertRunsOnALane(queue);
    model.release();
    done(held);
  }

  @Test
  void submit_whileTheOnlyLaneIsLent_waitsAndRunsOnItsThreadAfterwards() {
    List<CompletionStage<WorkResult>> waiting = new ArrayList<>();
    AtomicReference<ModelQueue> queue = new AtomicReference<>();
    BatchRunner submitsMore =
        (inputs, outputs, stop) -> {
          if (threads.isEmpty()) {
            waiting.add(queue.get().submit(Requests.of(7)));
            assertThat(queue.get().depthRows()).isEqualTo(1);
          }
          return noting.run(inputs, outputs, stop);
        };
    queue.set(open(start(1), steady(true), BRIEF_NANOS, submitsMore));
    assertTwice(queue.get().submit(Requests.of(1)), 1);
    assertTwice(waiting.getFirst(), 7);
    assertThat(threads.getFirst()).isEqualTo(Thread.currentThread());
    assertThat(threads.getLast().getName()).startsWith("lane-");
  }

  @Test
  void close_whileALaneIsLent_waitsForIt() throws Exception {
    Lanes lanes = start(1);
    ModelQueue queue = open(lanes, steady(true), BRIEF_NANOS, model);
    CompletableFuture<CompletionStage<WorkResult>> submitted =
        CompletableFuture.supplyAsync(
            () -> queue.submit(Requests.of(Arithmetic.HOLD)), Thread::startVirtualThread);
    model.awaitHeld();
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(lanes::close, Thread::startVirtualThread);
    while (!isClosed(queue)) {
      Thread.onSpinWait();
    }
    assertThat(closed).isNotDone();
    model.release();
    closed.orTimeout(30, TimeUnit.SECONDS).join();
    done(submitted.join());
  }

  @Test
  void close_onTheBorrower_doesNotWaitForItself() {
    Lanes lanes = start(1);
    BatchListener closing = (_, _, _, _) -> lanes.close();
    ModelQueue queue = under.open(lanes, steady(true), table(BRIEF_NANOS), noting, closing);
    assertTwice(queue.submit(Requests.of(1)), 1);
    assertThat(threads).containsExactly(Thread.currentThread());
    assertRefused(queue.submit(Requests.of(1)), ErrorCode.UNAVAILABLE);
  }

  @Test
  void run_throwsWhatItMayNot_isToldToTheLanesHandler() {
    IllegalStateException bug = new IllegalStateException("of the runner");
    BatchRunner broken =
        (_, _, _) -> {
          throw bug;
        };
    ModelQueue queue = open(start(1), steady(true), BRIEF_NANOS, broken);
    assertRefused(queue.submit(Requests.of(1)), ErrorCode.INTERNAL);
    assertThat(under.takeThrown()).containsExactly(bug);
  }

  private void assertRunsOnALane(ModelQueue queue) {
    assertTwice(queue.submit(Requests.of(1)), 1);
    assertThat(threads.getFirst().getName()).startsWith("lane-");
  }

  private static boolean isClosed(ModelQueue queue) {
    return queue.submit(Requests.of(1)).toCompletableFuture().getNow(null)
            instanceof WorkResult.Refused(Problem problem, var _)
        && problem.code() == ErrorCode.UNAVAILABLE;
  }

  private Lanes start(int count) {
    return under.start(count, new ManualClock());
  }

  private ModelQueue open(
      Lanes lanes, QueueSettings settings, long medianNanos, BatchRunner runner) {
    return under.open(lanes, settings, table(medianNanos), runner, model);
  }

  private static LatencyTable table(long medianNanos) {
    LatencyTable table = new LatencyTable();
    table.record(Requests.BUCKET, 1, medianNanos);
    return table;
  }

  private static QueueSettings steady(boolean steady) {
    return new QueueSettings("m", 8, true, steady, Padding.NONE, 100, 1 << 20, Long.MAX_VALUE, 5);
  }
}
