package meridian.batching;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import meridian.core.time.NanoClock;

/** A clock that stands still until it is told to go on. */
final class ManualClock implements NanoClock {

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);

  @Override
  public long nanos() {
    return nanos.get();
  }

  void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
