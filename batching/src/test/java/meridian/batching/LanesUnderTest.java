package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lanes for one test. After it they are closed, and everything offered must be accounted for and
 * nothing thrown on a lane that the test did not ask for.
 */
final class LanesUnderTest implements AfterEachCallback {

  private final List<Lanes> opened = new ArrayList<>();
  private final List<ModelQueue> queues = new ArrayList<>();
  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
  private final CountDownLatch startSignal = new CountDownLatch(1);

  @Override
  public void afterEach(ExtensionContext context) {
    startSignal.countDown();
    opened.forEach(Lanes::close);
    for (Lanes lanes : opened) {
      assertThat(lanes.accounting()).matches(Accounting::balances);
      assertThat(lanes.accounting().queued()).isZero();
      assertThat(lanes.busy()).isZero();
    }
    for (ModelQueue queue : queues) {
      assertThat(queue.accounting()).matches(Accounting::balances);
      assertThat(queue.drain().toCompletableFuture()).isCompleted();
    }
    assertThat(thrown).isEmpty();
  }

  Lanes start(int count, NanoClock clock) {
    return start(count, clock, task -> thread(task, opened.size()));
  }

  /** Lanes whose threads do nothing before {@link #go}. */
  Lanes startHeldBack(int count, NanoClock clock) {
    return start(count, clock, task -> thread(() -> runAfterSignal(task), opened.size()));
  }

  void go() {
    startSignal.countDown();
  }

  ModelQueue open(Lanes lanes, QueueSettings settings, BatchRunner runner) {
    return open(lanes, settings, runner, (_, _, _, _) -> {});
  }

  ModelQueue open(Lanes lanes, QueueSettings settings, BatchRunner runner, BatchListener listener) {
    return open(lanes, settings, new LatencyTable(), runner, listener);
  }

  ModelQueue open(
      Lanes lanes,
      QueueSettings settings,
      LatencyTable table,
      BatchRunner runner,
      BatchListener listener) {
    ModelQueue queue = lanes.open(settings, table, runner, listener);
    queues.add(queue);
    return queue;
  }

  /** What was thrown on lanes so far; forgotten with this call. */
  List<Throwable> takeThrown() {
    List<Throwable> taken = List.copyOf(thrown);
    thrown.clear();
    return taken;
  }

  static QueueSettings settings(int maxBatchRows, boolean mixing, long maxQueueRows) {
    return new QueueSettings(
        "m", maxBatchRows, mixing, false, Padding.NONE, maxQueueRows, 1 << 20, Long.MAX_VALUE, 5);
  }

  static WorkResult await(CompletionStage<WorkResult> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  static WorkResult.Done done(CompletionStage<WorkResult> stage) {
    return switch (await(stage)) {
      case WorkResult.Done done -> done;
      case WorkResult.Refused(Problem problem, var _) -> throw new AssertionError(problem);
    };
  }

  static Problem refused(CompletionStage<WorkResult> stage) {
    return switch (await(stage)) {
      case WorkResult.Done done -> throw new AssertionError(done);
      case WorkResult.Refused(Problem problem, var _) -> problem;
    };
  }

  static void assertTwice(CompletionStage<WorkResult> stage, float... rows) {
    WorkResult.Done done = done(stage);
    assertThat(done.outputs()).hasSize(1);
    assertThat(done.outputs().getFirst().name()).isEqualTo("twice");
    float[] twice = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      twice[i] = 2 * rows[i];
    }
    assertThat(done.outputs().getFirst().tensor().toFloats()).containsExactly(twice);
  }

  static void assertRefused(CompletionStage<WorkResult> stage, ErrorCode code) {
    assertThat(refused(stage).code()).isEqualTo(code);
  }

  private Lanes start(int count, NanoClock clock, ThreadFactory threads) {
    Lanes lanes = Lanes.start(count, clock, threads);
    opened.add(lanes);
    return lanes;
  }

  private Thread thread(Runnable task, int lanes) {
    return Thread.ofPlatform()
        .name("lane-" + lanes + "-", 0)
        .uncaughtExceptionHandler((_, e) -> thrown.add(e))
        .unstarted(task);
  }

  private void runAfterSignal(Runnable task) {
    try {
      startSignal.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    task.run();
  }
}
