package meridian.batching;

import static meridian.batching.LanesUnderTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several submitters, cancellers and poison rows on several lanes and models, bounded in count. */
class LanesStressTest {

  private static final int SUBMITTERS = 4;
  private static final int CANCELLERS = 2;
  private static final int REQUESTS = 5_000;
  private static final QueueSettings STEADY =
      new QueueSettings("m", 8, true, true, Padding.NONE, 50, 1 << 20, Long.MAX_VALUE, 5);
  private static final Cancellation END = new Cancellation();

  @RegisterExtension private final LanesUnderTest under = new LanesUnderTest();

  private final BlockingQueue<Cancellation> toCancel = new LinkedBlockingQueue<>();
  private final AtomicInteger answers = new AtomicInteger();
  private final ConcurrentHashMap<ErrorCode, Integer> refusals = new ConcurrentHashMap<>();

  @Test
  void submit_manyThreads_everyRequestIsAnsweredOnceAndRight() throws Exception {
    Lanes lanes = under.start(3, NanoClock.SYSTEM);
    Arithmetic model = new Arithmetic();
    List<ModelQueue> queues =
        List.of(
            under.open(lanes, settings(8, true, 200), model),
            under.open(lanes, settings(3, true, 50), model),
            under.open(lanes, settings(8, false, 50), model),
            under.open(lanes, STEADY, model));
    try (ExecutorService threads = Executors.newFixedThreadPool(SUBMITTERS + CANCELLERS)) {
      List<Future<Void>> submitters = new ArrayList<>();
      for (int i = 0; i < SUBMITTERS; i++) {
        Random random = new Random(i);
        submitters.add(threads.submit(() -> submitAll(queues, random)));
      }
      List<Future<Void>> cancellers = new ArrayList<>();
      for (int i = 0; i < CANCELLERS; i++) {
        cancellers.add(threads.submit(this::cancelAll));
      }
      await(submitters);
      toCancel.addAll(Collections.nCopies(CANCELLERS, END));
      await(cancellers);
    }
    for (ModelQueue queue : queues) {
      queue.drain().toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }
    assertThat(answers).hasValue(SUBMITTERS * REQUESTS);
    assertThat(lanes.accounting().offered()).isEqualTo(SUBMITTERS * REQUESTS);
    assertThat(refusals.keySet())
        .isSubsetOf(
            ErrorCode.INTERNAL,
            ErrorCode.OVERLOADED,
            ErrorCode.CANCELLED,
            ErrorCode.DEADLINE_EXCEEDED);
    assertThat(refusals).containsKeys(ErrorCode.INTERNAL, ErrorCode.CANCELLED);
  }

  private static void await(List<Future<Void>> tasks) throws Exception {
    for (Future<Void> task : tasks) {
      task.get(120, TimeUnit.SECONDS);
    }
  }

  private Void submitAll(List<ModelQueue> queues, Random random) {
    List<CompletableFuture<Void>> checks = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      Work work = work(random);
      if (random.nextInt(50) == 0) {
        work.cancellation().cancel();
      }
      ModelQueue queue = queues.get(random.nextInt(queues.size()));
      checks.add(
          queue
              .submit(work)
              .thenAccept(result -> check(work, result))
              .toCompletableFuture()
              .orTimeout(60, TimeUnit.SECONDS));
      if (random.nextInt(4) == 0) {
        toCancel.add(work.cancellation());
      }
      if (i % 64 == 63) {
        checks.forEach(CompletableFuture::join);
      }
    }
    checks.forEach(CompletableFuture::join);
    return null;
  }

  private Void cancelAll() throws InterruptedException {
    for (Cancellation next = toCancel.take(); !next.equals(END); next = toCancel.take()) {
      next.cancel();
    }
    return null;
  }

  private static Work work(Random random) {
    float[] rows = new float[random.nextInt(4)];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = random.nextInt(60) == 0 ? -1 : random.nextInt(1_000);
    }
    Work plain = Requests.of(rows);
    Deadline deadline =
        random.nextInt(10) == 0
            ? Deadline.after(NanoClock.SYSTEM.nanos(), random.nextInt(200_000))
            : Deadline.NONE;
    return Requests.due(Requests.priority(plain, random.nextInt(3)), deadline);
  }

  private void check(Work work, WorkResult result) {
    answers.incrementAndGet();
    float[] rows = work.inputs().getFirst().tensor().toFloats();
    switch (result) {
      case WorkResult.Done done -> assertTwice(rows, done);
      case WorkResult.Refused(Problem problem, var _) -> assertOwnFault(rows, problem);
    }
  }

  private static void assertTwice(float[] rows, WorkResult.Done done) {
    float[] twice = done.outputs().getFirst().tensor().toFloats();
    assertThat(twice).hasSize(rows.length);
    for (int i = 0; i < rows.length; i++) {
      assertThat(twice[i]).isEqualTo(2 * rows[i]);
    }
  }

  private void assertOwnFault(float[] rows, Problem problem) {
    refusals.merge(problem.code(), 1, Integer::sum);
    if (problem.code() == ErrorCode.INTERNAL) {
      assertThat(rows).contains(-1);
    }
  }
}
