package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import meridian.core.error.ErrorCode;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {

  private static final InferRequest REQUEST = InferRequest.of("m", List.of());
  private static final InferResult ANSWER =
      new InferResponse("m", "1", "", Parameters.NONE, List.of(), LatencyBreakdown.ZERO);

  /** Every look at the clock takes a nanosecond. */
  private final AtomicLong nanos = new AtomicLong();

  private final LoadRecord record = new LoadRecord();

  @Test
  void run_answersOnTheCallingThread_sendsOneAfterTheOtherWithoutRecursion() throws Exception {
    long sent =
        loop(_ -> CompletableFuture.completedStage(ANSWER), 1).run(1_000_000, () -> false, record);
    assertThat(sent).isGreaterThan(100_000);
    assertThat(record.take().answered()).isEqualTo(sent);
  }

  @Test
  void run_answersLater_keepsTheNumberUnderWay() throws Exception {
    Queue<CompletableFuture<InferResult>> out = new ArrayDeque<>();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    Thread runner =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    loop(
                            _ -> {
                              CompletableFuture<InferResult> answer = new CompletableFuture<>();
                              synchronized (out) {
                                out.add(answer);
                                most.accumulateAndGet(out.size(), Math::max);
                                out.notifyAll();
                              }
                              return answer;
                            },
                            3)
                        .run(Long.MAX_VALUE / 2, () -> answered.get() >= 9, record);
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                });
    while (answered.get() < 11) {
      next(out, answered).complete(ANSWER);
    }
    runner.join();
    assertThat(most).hasValue(3);
    assertThat(record.take().answered()).isEqualTo(11);
  }

  private static CompletableFuture<InferResult> next(
      Queue<CompletableFuture<InferResult>> out, AtomicInteger answered) throws Exception {
    synchronized (out) {
      int underWay = answered.get() < 9 ? 3 : 1;
      while (out.size() < underWay) {
        out.wait();
      }
      answered.incrementAndGet();
      return out.remove();
    }
  }

  @Test
  void run_aBug_isCountedAsInternal() throws Exception {
    long sent =
        loop(
                _ -> {
                  CompletableFuture<InferResult> bug = new CompletableFuture<>();
                  var _ =
                      CompletableFuture.runAsync(
                          () -> bug.completeExceptionally(new IllegalStateException("bug")));
                  return bug;
                },
                2)
            .run(2_000, () -> false, record);
    LoadRecord.Interval interval = record.take();
    assertThat(interval.failures()).containsOnlyKeys(ErrorCode.INTERNAL);
    assertThat(interval.failed()).isEqualTo(sent);
  }

  private ClosedLoop loop(InferenceService service, int inFlight) {
    return new ClosedLoop(service, () -> REQUEST, inFlight, nanos::incrementAndGet);
  }
}
