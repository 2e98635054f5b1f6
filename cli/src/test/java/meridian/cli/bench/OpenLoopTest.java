package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import org.junit.jupiter.api.Test;

class OpenLoopTest {

  private static final long MS = 1_000_000;

  /** Every look at the clock takes a tenth of a millisecond. */
  private final AtomicLong nanos = new AtomicLong();

  private final LoadRecord record = new LoadRecord();

  @Test
  void run_stalledServer_countsTheStallForEveryRequestItDelayed() throws Exception {
    OpenLoop loop =
        new OpenLoop(
            request -> {
              if (nanos.get() < 20 * MS) {
                nanos.addAndGet(100 * MS);
              }
              return CompletableFuture.completedStage(answer(request));
            },
            () -> InferRequest.of("m", List.of()),
            () -> 10 * MS,
            () -> nanos.addAndGet(MS / 10));

    long sent = loop.run(200 * MS, () -> false, record);

    LoadRecord.Interval interval = record.take();
    assertThat(interval.answered()).isEqualTo(sent).isBetween(18L, 20L);
    long late =
        interval.latencies().getTotalCount()
            - interval.latencies().getCountBetweenValues(0, 5 * MS);
    assertThat(late).isBetween(9L, 11L);
    assertThat(interval.latencies().getMaxValue()).isGreaterThan(99 * MS);
  }

  @Test
  void run_failuresAndBugs_areCountedByCode() throws Exception {
    List<CompletableFuture<InferResult>> results = new ArrayList<>();
    results.add(
        CompletableFuture.completedFuture(
            InferFailure.of(Problem.of(ErrorCode.OVERLOADED, "full"))));
    results.add(CompletableFuture.failedFuture(new IllegalStateException("bug")));
    AtomicLong calls = new AtomicLong();
    OpenLoop loop =
        new OpenLoop(
            _ -> results.get((int) calls.getAndIncrement() % 2),
            () -> InferRequest.of("m", List.of()),
            () -> MS,
            () -> nanos.addAndGet(MS / 10));

    long sent = loop.run(20 * MS, () -> false, record);

    LoadRecord.Interval interval = record.take();
    assertThat(interval.failed()).isEqualTo(sent);
    assertThat(interval.failures()).containsOnlyKeys(ErrorCode.OVERLOADED, ErrorCode.INTERNAL);
  }

  private static InferResult answer(InferRequest request) {
    return new InferResponse(
        request.model(), "1", "", Parameters.NONE, List.of(), LatencyBreakdown.ZERO);
  }
}
