package meridian.serving.framing;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/** Marks requests as broken whose {@code Transfer-Encoding} leaves room for two readings. */
final class RequestCheck extends ChannelInboundHandlerAdapter {

  private final HeadBytes head;

  RequestCheck(HeadBytes head) {
    this.head = head;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      if (isAmbiguous(request)) {
        request.setDecoderResult(
            DecoderResult.failure(
                new IllegalArgumentException(
                    "Transfer-Encoding (expected: chunked, in HTTP/1.1, without Content-Length)")));
      }
      head.headEnded();
    }
    if (message instanceof LastHttpContent) {
      head.requestEnded();
    }
    context.fireChannelRead(message);
  }

  private boolean isAmbiguous(HttpRequest request) {
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.isEmpty()) {
      return false;
    }
    return codings.size() > 1
        || !codings.getFirst().equalsIgnoreCase("chunked")
        || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || head.mayHaveLength();
  }
}
