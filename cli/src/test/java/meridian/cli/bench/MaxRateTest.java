package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;

class MaxRateTest {

  private static final long MS = 1_000_000;
  private static final InferResult ANSWER =
      new InferResponse("m", "1", "", Parameters.NONE, List.of(), LatencyBreakdown.ZERO);
  private static final InferResult FAILURE =
      InferFailure.of(Problem.of(ErrorCode.OVERLOADED, "full"));

  @Test
  void find_latencyRisesBeyondCapacity_endsBelowItWithAReport() throws Exception {
    MaxRate.Found found = find(rate -> load(rate, rate <= 700 ? 10 * MS : 900 * MS, ANSWER));
    assertThat(found.best()).isNotNull();
    assertThat(found.best().rate()).isBetween(700 / 1.05, 700.0);
    assertThat(found.best().confirming()).isTrue();
    // The trial that decides has the long duration.
    assertThat(found.best().measured().sent()).isEqualTo((long) (found.best().rate() * 10));
    assertThat(found.trials()).hasSizeGreaterThan(4).last().isEqualTo(found.best());
  }

  @Test
  void find_failuresAboveTheToleratedShare_doNotPass() throws Exception {
    MaxRate.Found found =
        find(rate -> rate <= 300 ? load(rate, MS, ANSWER) : load(rate, MS, FAILURE));
    assertThat(found.best()).isNotNull();
    assertThat(found.best().rate()).isBetween(300 / 1.05, 300.0);
  }

  @Test
  void find_unansweredRequests_doNotPass() throws Exception {
    assertThat(find(_ -> (nanos, _, _) -> nanos / MS).best()).isNull();
  }

  private static MaxRate.Found find(DoubleFunction<Load> loads) throws Exception {
    List<MaxRate.Trial> told = new ArrayList<>();
    MaxRate.Found found =
        new MaxRate(
                rate -> LoadTest.Target.of(loads.apply(rate)),
                new MaxRate.Settings(
                    50,
                    Duration.ofMillis(100),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    Duration.ZERO),
                NanoClock.SYSTEM)
            .find(told::add);
    assertThat(told).isEqualTo(found.trials());
    return found;
  }

  /** A server without the waiting: what it would do in so many nanoseconds, at once. */
  private static Load load(double rate, long latencyNanos, InferResult result) {
    return (nanos, _, record) -> {
      long requests = (long) (rate * nanos / 1e9);
      for (long i = 0; i < requests; i++) {
        record.ended(0, result, latencyNanos);
      }
      return requests;
    };
  }
}
