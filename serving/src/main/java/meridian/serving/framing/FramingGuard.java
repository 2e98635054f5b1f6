package meridian.serving.framing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpServerUpgradeHandler.SourceCodec;
import java.util.Map;

/**
 * Sees the bytes of a connection before the HTTP/1.1 codec does. The codec quietly drops {@code
 * Content-Length} beside {@code Transfer-Encoding}, which RFC 9112 §6.1 names as a sign of request
 * smuggling; so {@link RequestCheck}, behind the codec, asks here what was really sent.
 *
 * <p>The codec comes into being when the first four bytes have told HTTP/1.1 from HTTP/2. These are
 * handed on alone, so that the check stands behind the codec before any request comes out.
 */
public final class FramingGuard extends ChannelInboundHandlerAdapter {

  private static final int PREFACE_BYTES = 4;

  private final HeadBytes head;
  private boolean installed;

  private FramingGuard(int maxHeadBytes) {
    this.head = new HeadBytes(maxHeadBytes);
  }

  /**
   * @param maxHeadBytes the most that the codec takes as request line and headers
   */
  public static void install(ChannelPipeline pipeline, int maxHeadBytes) {
    pipeline.addFirst(new FramingGuard(maxHeadBytes));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (!installed && bytes.readableBytes() > PREFACE_BYTES) {
      pass(context, bytes.readRetainedSlice(PREFACE_BYTES));
      installBehindCodec(context);
    }
    pass(context, bytes);
    if (!installed) {
      installBehindCodec(context);
    }
  }

  private void pass(ChannelHandlerContext context, ByteBuf bytes) {
    ByteBuf view = bytes.retainedDuplicate();
    try {
      head.reading(view);
      context.fireChannelRead(bytes);
    } finally {
      head.read();
      view.release();
    }
  }

  /** Leaves HTTP/2 alone, whose frames have one length only. */
  private void installBehindCodec(ChannelHandlerContext context) {
    ChannelPipeline pipeline = context.pipeline();
    for (Map.Entry<String, ?> handler : pipeline) {
      if (handler.getValue() instanceof SourceCodec) {
        pipeline.addAfter(handler.getKey(), null, new RequestCheck(head));
        installed = true;
        return;
      }
    }
  }
}
