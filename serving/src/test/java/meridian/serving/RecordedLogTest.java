package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

class RecordedLogTest {

  /** Otherwise the absence of leaks in the other tests would mean nothing. */
  @Test
  void leak_ofABuffer_isReported() {
    assertThat(ByteBufAllocator.DEFAULT.buffer(16).isWritable()).isTrue();
    DepartureTest.await(
        () -> {
          RecordedLog.provokeLeakReports();
          return !RecordedLog.leaks().isEmpty();
        });
    RecordedLog.forgetLeaks();
  }
}
