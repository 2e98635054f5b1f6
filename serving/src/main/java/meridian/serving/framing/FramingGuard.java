package meridian.serving.framing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpServerUpgradeHandler.SourceCodec;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees the bytes of a connection before the codecs do. The codec of HTTP/1.1 quietly drops {@code
 * Content-Length} beside {@code Transfer-Encoding}, which RFC 9112 §6.1 names as a sign of request
 * smuggling; so {@link RequestCheck}, behind the codec, asks here what was really sent. And neither
 * codec minds how long a client takes for a head or a frame; here it is cut off.
 *
 * <p>The codec comes into being when the first four bytes have told HTTP/1.1 from HTTP/2. These are
 * handed on alone, so that we stand behind the codec before any request comes out.
 */
public final class FramingGuard extends ChannelInboundHandlerAdapter {

  private static final int PREFACE_BYTES = 4;
  private static final int REQUEST_TIMEOUT = 408;

  private final HeadBytes head;
  private final Duration readTimeout;
  private final ReadDeadline deadline;
  private @Nullable Http1Requests http1;
  private @Nullable Http2ConnectionHandler http2;
  private FrameBytes frames = new FrameBytes();

  private FramingGuard(int maxHeadBytes, Duration readTimeout) {
    this.head = new HeadBytes(maxHeadBytes);
    this.readTimeout = readTimeout;
    this.deadline = new ReadDeadline(readTimeout, this::cutOff);
  }

  /**
   * @param maxHeadBytes the most that the codec takes as request line and headers
   * @param readTimeout from the first byte of a head, or of a frame, to its last
   */
  public static void install(ChannelPipeline pipeline, int maxHeadBytes, Duration readTimeout) {
    pipeline.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    pipeline.addFirst(new FramingGuard(maxHeadBytes, readTimeout));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    boolean ended = false;
    if (http1 == null && http2 == null && bytes.readableBytes() > PREFACE_BYTES) {
      ended = pass(context, bytes.readRetainedSlice(PREFACE_BYTES));
      recognise(context.pipeline());
    }
    ended |= pass(context, bytes);
    recognise(context.pipeline());
    boolean moved = (http1 != null && http1.moved()) || ended;
    if (moved) {
      deadline.ended();
    }
    if (incomplete(moved)) {
      deadline.begun(context);
    }
  }

  /** True when a frame of HTTP/2 came to its end. */
  private boolean pass(ChannelHandlerContext context, ByteBuf bytes) {
    if (http2 != null) {
      return passFrames(context, http2, bytes);
    }
    ByteBuf view = bytes.retainedDuplicate();
    try {
      head.reading(view);
      boolean ended = http1 == null && frames.read(view);
      context.fireChannelRead(bytes);
      return ended;
    } finally {
      head.read();
      view.release();
    }
  }

  /** The codec has a fault of its own when the preface is none but has HTTP/1 in it. */
  private boolean passFrames(
      ChannelHandlerContext context, Http2ConnectionHandler codec, ByteBuf bytes) {
    boolean ended = frames.read(bytes);
    if (frames.lost() && http1 == null) {
      bytes.release();
      end(context, codec, Http2Error.PROTOCOL_ERROR, "No preface of HTTP/2");
    } else {
      context.fireChannelRead(bytes);
    }
    return ended;
  }

  private static void end(
      ChannelHandlerContext context,
      Http2ConnectionHandler codec,
      Http2Error error,
      String message) {
    codec.onError(
        context.pipeline().context(codec), false, Http2Exception.connectionError(error, message));
  }

  /** Looks which codec has come into being, now or by an upgrade, and stands behind it. */
  private void recognise(ChannelPipeline pipeline) {
    if (http2 != null || (http1 != null && !http1.upgraded())) {
      return;
    }
    http2 = pipeline.get(Http2ConnectionHandler.class);
    if (http2 != null) {
      Http2Requests.watch(http2, pipeline);
      frames = http1 == null ? frames : new FrameBytes();
    } else {
      installBehindCodec(pipeline);
    }
  }

  private void installBehindCodec(ChannelPipeline pipeline) {
    for (Map.Entry<String, ?> handler : pipeline) {
      if (handler.getValue() instanceof SourceCodec) {
        http1 = new Http1Requests(head);
        pipeline.addAfter(handler.getKey(), null, http1);
        return;
      }
    }
  }

  /**
   * True when the client owes the rest of something for which no other deadline holds. Behind the
   * end of a request of HTTP/1.1 there may be the begin of the next; the read after tells.
   *
   * @param moved whether something came to its end with the last read
   */
  private boolean incomplete(boolean moved) {
    if (http2 != null) {
      return frames.incomplete();
    }
    return http1 == null || (!moved && head.between());
  }

  private void cutOff(ChannelHandlerContext context) {
    if (http2 != null) {
      String message = "Not all of a frame within " + readTimeout;
      end(context, http2, Http2Error.ENHANCE_YOUR_CALM, message);
    } else if (http1 != null) {
      String message = "head: not all here after " + readTimeout + " (expected: within that)";
      http1.refuse(context.pipeline().context(http1), new RefusedRequest(REQUEST_TIMEOUT, message));
    } else {
      var _ = context.close();
    }
  }

  /** HTTP/2 cannot do without the way back, on which windows and settings are confirmed. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE && (http1 == null || http2 != null)) {
      var _ = context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }
}
