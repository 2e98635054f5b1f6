package meridian.serving.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.serving.exchange.Lifecycle.Phase;
import org.junit.jupiter.api.Test;

class LifecycleTest {

  private final Lifecycle lifecycle = new Lifecycle();

  @Test
  void leave_requests_areStillLetIn() {
    AtomicInteger told = new AtomicInteger();
    lifecycle.onLeave(told::incrementAndGet);
    lifecycle.leave();
    assertThat(lifecycle.phase()).isEqualTo(Phase.LEAVING);
    assertThat(told).hasValue(1);
    assertThat(lifecycle.enter()).isTrue();
  }

  @Test
  void refuse_nothingUnderWay_isDrainedAtOnce() {
    assertThat(lifecycle.refuse().toCompletableFuture()).isCompleted();
    assertThat(lifecycle.enter()).isFalse();
    assertThat(lifecycle.underWay()).isZero();
  }

  @Test
  void refuse_twoUnderWay_isDrainedAfterBoth() {
    assertThat(lifecycle.enter()).isTrue();
    assertThat(lifecycle.enter()).isTrue();
    CompletableFuture<Void> drained = lifecycle.refuse().toCompletableFuture();
    lifecycle.exit();
    assertThat(lifecycle.enter()).isFalse();
    assertThat(drained).isNotDone();
    lifecycle.exit();
    assertThat(drained).isCompleted();
  }
}
