package meridian.serving.framing;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Lets a client reset a stream while its answer waits to be written. Armeria takes the failure of
 * that write for one of the connection and closes it, with all other requests on it. Stands at the
 * end of the pipeline, where such a close begins, and knows it by the moment: a stream that a reset
 * has closed, and that is not gone yet.
 */
final class StreamResets extends ChannelOutboundHandlerAdapter {

  private final Http2Connection connection;
  private int lastReset;

  StreamResets(Http2Connection connection) {
    this.connection = connection;
  }

  /** The codec will close this stream next. */
  void reset(int streamId) {
    lastReset = streamId;
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
    Http2Stream stream = connection.stream(lastReset);
    if (stream != null && stream.state() == Http2Stream.State.CLOSED) {
      promise.trySuccess();
    } else {
      super.close(context, promise);
    }
  }
}
