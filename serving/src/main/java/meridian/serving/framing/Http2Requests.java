package meridian.serving.framing;

import com.linecorp.armeria.common.HttpMethod;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;

/** Sees to it that what Armeria refuses in HTTP/2 costs the client that one request only. */
final class Http2Requests extends Http2FrameListenerDecorator {

  private static final AsciiString EXPECT = AsciiString.cached("expect");
  private static final AsciiString CONTINUE = AsciiString.cached("100-continue");
  private static final String CONNECT = "CONNECT";

  private final Http2ConnectionHandler connection;
  private final StreamResets resets;

  private Http2Requests(
      Http2ConnectionHandler connection, StreamResets resets, Http2FrameListener armeria) {
    super(armeria);
    this.connection = connection;
    this.resets = resets;
  }

  static void watch(Http2ConnectionHandler connection, ChannelPipeline pipeline) {
    StreamResets resets = new StreamResets(connection.connection());
    pipeline.addLast(resets);
    Http2FrameListener armeria = connection.decoder().frameListener();
    connection.decoder().frameListener(new Http2Requests(connection, resets, armeria));
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext context, int streamId, long errorCode)
      throws Http2Exception {
    super.onRstStreamRead(context, streamId, errorCode);
    resets.reset(streamId);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int streamId,
      Http2Headers headers,
      int streamDependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean endStream)
      throws Http2Exception {
    onHeadersRead(context, streamId, headers, padding, endStream);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int streamId,
      Http2Headers headers,
      int padding,
      boolean endStream)
      throws Http2Exception {
    Http2Fields.check(streamId, headers);
    boolean trailers = headers.method() == null;
    if (trailers || serve(streamId, headers) || !endStream) {
      super.onHeadersRead(context, streamId, headers, padding, endStream);
    } else {
      context.executor().execute(() -> refuse(context, streamId, headers, padding));
    }
  }

  /** Makes the path one that Armeria takes; false when it refuses the request anyhow. */
  private static boolean serve(int streamId, Http2Headers headers) throws Http2Exception {
    HttpMethod method = HttpMethod.tryParse(headers.method().toString());
    boolean known = method != null && method != HttpMethod.CONNECT;
    if (!known) {
      // Armeria knows this one as unsupported, and others not at all.
      headers.method(CONNECT).path("/");
    }
    if (headers.path() == null) {
      throw Http2Exception.streamError(streamId, Http2Error.PROTOCOL_ERROR, ":path is missing");
    }
    headers.path(RequestPath.acceptable(headers.method(), headers.path().toString()));
    CharSequence expect = headers.get(EXPECT);
    return known && (expect == null || AsciiString.contentEqualsIgnoreCase(expect, CONTINUE));
  }

  /**
   * Once the codec knows that the client sends nothing more. Before that Armeria would reset the
   * stream right behind the answer, and so take it from a client that has not read it yet.
   */
  private void refuse(
      ChannelHandlerContext context, int streamId, Http2Headers headers, int padding) {
    try {
      super.onHeadersRead(context, streamId, headers, padding, true);
      context.channel().flush();
    } catch (Http2Exception e) {
      connection.onError(context, false, e);
    }
  }
}
