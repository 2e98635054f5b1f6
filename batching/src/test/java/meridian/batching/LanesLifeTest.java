package meridian.batching;

import static meridian.batching.LanesUnderTest.assertRefused;
import static meridian.batching.LanesUnderTest.assertTwice;
import static meridian.batching.LanesUnderTest.done;
import static meridian.batching.LanesUnderTest.refused;
import static meridian.batching.LanesUnderTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cancellation, deadlines, draining and closing. */
class LanesLifeTest {

  @RegisterExtension private final LanesUnderTest under = new LanesUnderTest();

  private final Arithmetic model = new Arithmetic();

  @Test
  void cancel_queued_isAnsweredAtOnceAndNeverRun() throws Exception {
    ModelQueue queue = held(settings(1, true, 100));
    List<Work> works = new ArrayList<>();
    List<CompletionStage<WorkResult>> results = new ArrayList<>();
    for (int i = 0; i < 19; i++) {
      works.add(Requests.of(i));
      results.add(queue.submit(works.getLast()));
    }
    works.forEach(work -> work.cancellation().cancel());
    results.forEach(result -> assertRefused(result, ErrorCode.CANCELLED));
    assertThat(queue.depthRows()).isZero();
    model.release();
    assertTwice(queue.submit(Requests.of(1)), 1);
    assertThat(model.runs()).containsExactly(1, 1);
    assertThat(queue.accounting().cancelled()).isEqualTo(19);
  }

  @Test
  void cancel_handedOverButNotBegun_isNotRun() {
    ModelQueue queue = heldBack(settings(8, true, 8));
    Work work = Requests.of(1);
    CompletionStage<WorkResult> result = queue.submit(work);
    work.cancellation().cancel();
    under.go();
    assertRefused(result, ErrorCode.CANCELLED);
    assertTwice(queue.submit(Requests.of(2)), 2);
    assertThat(model.runs()).containsExactly(1);
    assertThat(queue.accounting()).isEqualTo(new Accounting(2, 1, 0, 0, 1, 0));
  }

  @Test
  void deadline_passedBeforeTheLaneBegins_isNotRun() {
    ManualClock clock = new ManualClock();
    Lanes lanes = under.startHeldBack(1, clock);
    ModelQueue queue = under.open(lanes, settings(8, true, 0), model);
    Deadline deadline = Deadline.after(clock.nanos(), 1_000);
    CompletionStage<WorkResult> result = queue.submit(Requests.due(Requests.of(1), deadline));
    clock.advance(Duration.ofMillis(1));
    under.go();
    assertRefused(result, ErrorCode.DEADLINE_EXCEEDED);
    assertThat(model.runs()).isEmpty();
    assertThat(queue.accounting()).isEqualTo(new Accounting(1, 0, 0, 1, 0, 0));
  }

  @Test
  void deadline_passesWhileAllLanesAreBusy_isAnsweredWithoutThem() throws Exception {
    ModelQueue queue = held(settings(8, true, 100));
    Deadline later = Deadline.after(NanoClock.SYSTEM.nanos(), Duration.ofMillis(40).toNanos());
    Deadline soon = Deadline.after(NanoClock.SYSTEM.nanos(), Duration.ofMillis(20).toNanos());
    CompletionStage<WorkResult> second = queue.submit(Requests.due(Requests.of(1), later));
    CompletionStage<WorkResult> first = queue.submit(Requests.due(Requests.of(1), soon));
    assertRefused(first, ErrorCode.DEADLINE_EXCEEDED);
    assertRefused(second, ErrorCode.DEADLINE_EXCEEDED);
    assertThat(model.runs()).containsExactly(1);
    model.release();
  }

  @Test
  void drain_runningAndQueued_finishThemAndRefuseNewWork() throws Exception {
    ModelQueue queue = held(settings(1, true, 100));
    CompletionStage<WorkResult> queued = queue.submit(Requests.of(2));
    CompletableFuture<Void> drained = queue.drain().toCompletableFuture();
    Problem problem = refused(queue.submit(Requests.of(3)));
    assertThat(problem.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(drained).isNotDone();
    model.release();
    assertTwice(queued, 2);
    drained.orTimeout(30, TimeUnit.SECONDS).join();
    assertThat(model.runs()).containsExactly(1, 1);
  }

  @Test
  void drain_nothingAccepted_isDoneAtOnceAndOtherQueuesGoOn() {
    Lanes lanes = under.start(1, NanoClock.SYSTEM);
    ModelQueue gone = under.open(lanes, settings(8, true, 100), model);
    ModelQueue stays = under.open(lanes, settings(8, true, 100), model);
    assertThat(gone.drain().toCompletableFuture()).isCompleted();
    assertRefused(gone.submit(Requests.of(1)), ErrorCode.UNAVAILABLE);
    assertTwice(stays.submit(Requests.of(1)), 1);
  }

  @Test
  void close_runningAndQueued_finishesTheOneAndRefusesTheOther() throws Exception {
    Lanes lanes = under.start(1, NanoClock.SYSTEM);
    ModelQueue queue = under.open(lanes, settings(1, true, 100), model);
    CompletionStage<WorkResult> running = queue.submit(Requests.of(Arithmetic.HOLD));
    model.awaitHeld();
    CompletionStage<WorkResult> queued = queue.submit(Requests.of(1));
    queued.thenRun(model::release);
    lanes.close();
    assertThat(running.toCompletableFuture()).isDone();
    done(running);
    assertRefused(queued, ErrorCode.UNAVAILABLE);
    assertRefused(queue.submit(Requests.of(1)), ErrorCode.UNAVAILABLE);
  }

  @Test
  void close_onALane_doesNotWaitForItself() {
    Lanes lanes = under.startHeldBack(1, NanoClock.SYSTEM);
    ModelQueue queue = under.open(lanes, settings(1, true, 0), model);
    CompletionStage<WorkResult> result = queue.submit(Requests.of(1));
    CompletionStage<Void> closed = result.thenRun(lanes::close);
    under.go();
    closed.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    assertTwice(result, 1);
  }

  @Test
  void interrupt_sleepingLane_goesOnServing() {
    List<Thread> lane = new ArrayList<>();
    ModelQueue queue =
        open(
            1,
            settings(8, true, 8),
            (inputs, outputs, stop) -> {
              lane.add(Thread.currentThread());
              return model.run(inputs, outputs, stop);
            });
    assertTwice(queue.submit(Requests.of(1)), 1);
    lane.getFirst().interrupt();
    assertTwice(queue.submit(Requests.of(2)), 2);
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
}
