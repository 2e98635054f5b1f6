package meridian.node.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import meridian.batching.WorkResult;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.latency.LatencyBreakdown;
import org.junit.jupiter.api.Test;

class ExecutionsTest {

  private final Cancellation request = new Cancellation();

  @Test
  void joined_overlappingRuns_modelTimeIsTheirUnion() {
    Executions executions = new Executions(3, request, 1000);

    executions.completed(0, done(0, 40), null, 1100);
    executions.completed(1, done(0, 60), null, 1130);
    executions.completed(2, done(0, 10), null, 1200);

    assertThat(join(executions).latency()).isEqualTo(new LatencyBreakdown(0, 0, 200 - 80, 80, 0));
  }

  @Test
  void joined_oneRun_keepsItsOwnTimes() {
    Executions executions = new Executions(1, request, 0);

    executions.completed(0, done(5, 7), null, 500);

    assertThat(join(executions).latency()).isEqualTo(new LatencyBreakdown(0, 0, 5, 7, 0));
    assertThat(executions.cancellation()).isSameAs(request);
  }

  @Test
  void completed_refusal_cancelsTheOthersAndIsTheAnswer() {
    Executions executions = new Executions(2, request, 0);
    Problem full = Problem.of(ErrorCode.OVERLOADED, "full");

    executions.completed(1, refused(full), null, 10);
    assertThat(executions.cancellation().isCancelled()).isTrue();
    assertThat(request.isCancelled()).isFalse();
    executions.completed(0, refused(Problem.of(ErrorCode.CANCELLED, "x")), null, 20);

    assertThat(join(executions).problem()).isEqualTo(full);
    assertThat(join(executions).outputs()).isEmpty();
  }

  @Test
  void completed_bug_cancelsTheOthersAndIsThrown() {
    Executions executions = new Executions(2, request, 0);
    RuntimeException bug = new IllegalStateException("a bug");

    executions.completed(1, null, bug, 10);

    assertThat(executions.cancellation().isCancelled()).isTrue();
    assertThat(executions.joined().toCompletableFuture())
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isSameAs(bug);
  }

  @Test
  void cancel_ofTheRequest_cancelsAllExecutions() {
    Executions executions = new Executions(2, request, 0);

    request.cancel();

    assertThat(executions.cancellation().isCancelled()).isTrue();
  }

  @Test
  void joined_nothingToExecute_isThereAtOnce() {
    assertThat(join(new Executions(0, request, 0)))
        .isEqualTo(new Joined(List.of(), null, LatencyBreakdown.ZERO));
  }

  private static Joined join(Executions executions) {
    CompletableFuture<Joined> joined = executions.joined().toCompletableFuture();
    assertThat(joined).isCompleted();
    return joined.join();
  }

  private static WorkResult done(long queueNanos, long modelNanos) {
    return new WorkResult.Done(List.of(), new LatencyBreakdown(0, 0, queueNanos, modelNanos, 0), 1);
  }

  private static WorkResult refused(Problem problem) {
    return new WorkResult.Refused(problem, LatencyBreakdown.ZERO);
  }
}
