package meridian.serving.exchange;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Does something at a deadline, on an event loop, which is also the only thread that calls it. */
final class Expiry {

  private final EventLoop loop;
  private final NanoClock clock;
  private final Runnable action;
  private @Nullable ScheduledFuture<?> timer;

  Expiry(EventLoop loop, NanoClock clock, Runnable action) {
    this.loop = loop;
    this.clock = clock;
    this.action = action;
  }

  /** In the place of the deadline before; one that is unbounded changes nothing. */
  void watch(Deadline deadline) {
    if (deadline.bounded()) {
      cancel();
      long left = Math.max(0, deadline.remainingNanos(clock.nanos()));
      timer = loop.schedule(action, left, TimeUnit.NANOSECONDS);
    }
  }

  void cancel() {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
