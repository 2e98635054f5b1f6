package meridian.serving.framing;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import meridian.core.time.NanoClock;

/**
 * The time that a client has from the first byte of a head, or of a frame, to its last one. There
 * is at most one timer per connection, which looks at what has happened when it goes off, so that
 * heads which come whole cost nothing.
 */
final class ReadDeadline {

  private final long limitNanos;
  private final Consumer<ChannelHandlerContext> whenPassed;
  private boolean waiting;
  private boolean scheduled;
  private long sinceNanos;

  ReadDeadline(Duration limit, Consumer<ChannelHandlerContext> whenPassed) {
    this.limitNanos = limit.toNanos();
    this.whenPassed = whenPassed;
  }

  /** Everything that had begun is there. */
  void ended() {
    waiting = false;
  }

  /** Something has begun, now or earlier, and is not there yet. */
  void begun(ChannelHandlerContext context) {
    if (waiting) {
      return;
    }
    waiting = true;
    sinceNanos = NanoClock.SYSTEM.nanos();
    if (!scheduled) {
      schedule(context, limitNanos);
    }
  }

  private void schedule(ChannelHandlerContext context, long nanos) {
    scheduled = true;
    var _ = context.executor().schedule(() -> look(context), nanos, TimeUnit.NANOSECONDS);
  }

  private void look(ChannelHandlerContext context) {
    scheduled = false;
    if (!waiting || !context.channel().isActive()) {
      return;
    }
    long now = NanoClock.SYSTEM.nanos();
    if (!context.channel().config().isAutoRead()) {
      // It is this server that does not read.
      sinceNanos = now;
    }
    long left = limitNanos - (now - sinceNanos);
    if (left > 0) {
      schedule(context, left);
    } else {
      waiting = false;
      whenPassed.accept(context);
    }
  }
}
