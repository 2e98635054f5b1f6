package meridian.serving.grpc;

import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks at a health now and then, and tells when it is another; all on one event loop. */
final class HealthWatch {

  private final EventLoop loop;
  private final Supplier<ServingStatus> health;
  private final Consumer<ServingStatus> listener;
  private @Nullable ServingStatus last;
  private @Nullable ScheduledFuture<?> timer;
  private boolean stopped;

  HealthWatch(EventLoop loop, Supplier<ServingStatus> health, Consumer<ServingStatus> listener) {
    this.loop = loop;
    this.health = health;
    this.listener = listener;
  }

  /** On the event loop. */
  void start(Duration interval) {
    look();
    long nanos = interval.toNanos();
    timer = loop.scheduleWithFixedDelay(this::look, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /** On the event loop. */
  void stop() {
    stopped = true;
    if (timer != null) {
      timer.cancel(false);
    }
  }

  /** From any thread. */
  void lookSoon() {
    loop.execute(this::look);
  }

  private void look() {
    ServingStatus now = health.get();
    if (!stopped && now != last) {
      last = now;
      listener.accept(now);
    }
  }
}
