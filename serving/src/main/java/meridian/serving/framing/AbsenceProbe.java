package meridian.serving.framing;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Tells a client that only has ended its output from one that is gone, which look the same until
 * something is written: then the host of the one that is gone resets the connection, and the work
 * for it can be cancelled. What is written is {@code 100 Continue}, which every client of HTTP/1.1
 * has to skip.
 */
final class AbsenceProbe {

  private static final byte[] INTERIM =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** So late that most answers come without one. */
  private static final long FIRST_MILLIS = 50;

  private static final long LONGEST_MILLIS = 1_000;

  private final BooleanSupplier needed;
  private final BooleanSupplier allowed;

  /**
   * @param needed false once there is nobody to wait for
   * @param allowed false while an interim response would be in the way
   */
  AbsenceProbe(BooleanSupplier needed, BooleanSupplier allowed) {
    this.needed = needed;
    this.allowed = allowed;
  }

  void start(ChannelHandlerContext context) {
    schedule(context, FIRST_MILLIS);
  }

  private void schedule(ChannelHandlerContext context, long millis) {
    var _ =
        context.executor().schedule(() -> probe(context, millis), millis, TimeUnit.MILLISECONDS);
  }

  private void probe(ChannelHandlerContext context, long millis) {
    if (!context.channel().isActive() || !needed.getAsBoolean()) {
      return;
    }
    if (allowed.getAsBoolean()) {
      // Past the codec, which would count it as the answer to a request.
      ChannelHandlerContext beforeCodec = context.pipeline().context(FramingGuard.class);
      var _ = beforeCodec.writeAndFlush(Unpooled.wrappedBuffer(INTERIM));
    }
    schedule(context, Math.min(2 * millis, LONGEST_MILLIS));
  }
}
