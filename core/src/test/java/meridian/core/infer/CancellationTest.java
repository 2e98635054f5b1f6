package meridian.core.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancellationTest {

  private final AtomicInteger calls = new AtomicInteger();
  private final Cancellation cancellation = new Cancellation();

  @Test
  void cancel_twice_runsEachListenerOnce() {
    cancellation.onCancel(calls::incrementAndGet);
    cancellation.onCancel(calls::incrementAndGet);
    cancellation.cancel();
    cancellation.cancel();
    assertThat(calls).hasValue(2);
    assertThat(cancellation.isCancelled()).isTrue();
  }

  @Test
  void onCancel_afterwards_runsAtOnce() {
    cancellation.cancel();
    cancellation.onCancel(calls::incrementAndGet);
    assertThat(calls).hasValue(1);
  }
}
