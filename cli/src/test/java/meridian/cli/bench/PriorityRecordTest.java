package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import org.junit.jupiter.api.Test;

class PriorityRecordTest {

  private static final long MS = 1_000_000;
  private static final InferResult ANSWER =
      new InferResponse("m", "1", "", Parameters.NONE, List.of(), LatencyBreakdown.ZERO);
  private static final InferResult FAILURE =
      InferFailure.of(Problem.of(ErrorCode.OVERLOADED, "full"));

  private final LoadRecord record = new LoadRecord();

  @Test
  void intervals_summed_keepThePrioritiesApartAndCountOnce() {
    LoadRecord.Interval total = LoadRecord.Interval.empty();
    LoadRecord.Interval merged = LoadRecord.Interval.empty();
    for (int second = 0; second < 3; second++) {
      record.ended(1, ANSWER, 2 * MS);
      record.ended(8, ANSWER, 90 * MS);
      record.ended(8, FAILURE, MS);
      record.ended(9, FAILURE, MS);
      LoadRecord.Interval interval = record.take();
      total.add(interval);
      merged.add(interval);
    }
    for (LoadRecord.Interval sum : List.of(total, merged)) {
      assertThat(sum.byPriority()).containsOnlyKeys(1, 8, 9);
      assertThat(sum.byPriority().get(1).latencies().getTotalCount()).isEqualTo(3);
      assertThat(sum.byPriority().get(1).failed()).isZero();
      assertThat(sum.byPriority().get(8).latencies().getMinValue()).isGreaterThan(89 * MS);
      assertThat(sum.byPriority().get(8).failed()).isEqualTo(3);
      assertThat(sum.byPriority().get(9).latencies().getTotalCount()).isZero();
      assertThat(sum.failed()).isEqualTo(6);
    }
  }

  @Test
  void interval_priorityLeftToTheModel_isNotToldApart() {
    record.ended(0, ANSWER, MS);
    record.ended(0, FAILURE, MS);
    assertThat(record.take().byPriority()).isEmpty();
  }
}
