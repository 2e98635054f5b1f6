package meridian.serving.framing;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpExpectationFailedEvent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;

/**
 * Stands behind the HTTP/1.1 codec and follows what is asked and answered. It marks requests as
 * broken that must not be served, ends the conversation where an answer said {@code Connection:
 * close}, and lets a client that has ended its output, but may still read, have its answers.
 */
final class Http1Requests extends ChannelDuplexHandler {

  private static final int BAD_REQUEST = 400;

  private final HeadBytes head;
  private final AbsenceProbe probe;
  private boolean moved;
  private int underWay;
  private boolean answering;
  private boolean lastAnswer;
  private boolean silent;
  private boolean over;
  private boolean inputEnded;
  private boolean switched;
  private boolean onlyHttp11 = true;

  Http1Requests(HeadBytes head) {
    this.head = head;
    this.probe = new AbsenceProbe(() -> underWay > 0, () -> onlyHttp11 && !answering);
  }

  /** True when something came out of the codec since the last call. */
  boolean moved() {
    boolean result = moved;
    moved = false;
    return result;
  }

  /** True once the client has all of its last HTTP/1.1 request here, and goes on in HTTP/2. */
  boolean upgraded() {
    return switched && head.between();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpObject part) {
      moved = true;
      follow(part);
    }
    if (silent) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private void follow(HttpObject part) {
    if (part instanceof HttpRequest request) {
      begin(request);
    }
    if (part instanceof LastHttpContent) {
      head.requestEnded();
    }
  }

  private void begin(HttpRequest request) {
    silent = lastAnswer;
    underWay++;
    onlyHttp11 &= request.protocolVersion().minorVersion() > 0;
    RefusedRequest refusal =
        request.decoderResult().isSuccess() ? RequestCheck.check(request, head) : null;
    if (refusal != null) {
      request.setDecoderResult(DecoderResult.failure(refusal));
    }
    if (request.decoderResult().isSuccess()) {
      HopOptions.clean(request.headers());
      request.setUri(RequestPath.acceptable(request.method().asciiName(), request.uri()));
    } else {
      // What is not understood starts no other protocol.
      request.headers().remove(HttpHeaderNames.UPGRADE);
    }
    head.headEnded();
  }

  /** Answers in the place of a request whose head does not come to its end. */
  void refuse(ChannelHandlerContext context, RefusedRequest refusal) {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    request.setDecoderResult(DecoderResult.failure(refusal));
    channelRead(context, request);
    context.fireChannelReadComplete();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (!(message instanceof HttpObject part) || isInterim(part)) {
      var _ = context.write(message, promise);
    } else if (over) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
    } else {
      answer(context, part, promise);
    }
  }

  private boolean isInterim(HttpObject part) {
    if (part instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
      switched |= response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
      return true;
    }
    return false;
  }

  private void answer(ChannelHandlerContext context, HttpObject part, ChannelPromise promise) {
    if (part instanceof HttpResponse response) {
      answering = true;
      lastAnswer |=
          response
              .headers()
              .containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
    }
    boolean ended = part instanceof LastHttpContent;
    ChannelFuture written = context.write(part, promise.unvoid());
    if (ended) {
      answering = false;
      underWay--;
      over = lastAnswer && underWay == 0;
      if (underWay == 0 && (over || inputEnded)) {
        written.addListener(_ -> leave(context));
      }
    }
  }

  /**
   * A client that may still be sending hears the end, but is not reset, which could take the answer
   * from it; Armeria closes such a connection in a while.
   */
  private void leave(ChannelHandlerContext context) {
    if (inputEnded) {
      var _ = context.close();
    } else if (context.channel() instanceof DuplexChannel channel && channel.isActive()) {
      var _ = channel.shutdownOutput();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ChannelInputShutdownEvent.INSTANCE) {
      endInput(context);
    } else if (event != HttpExpectationFailedEvent.INSTANCE
        && event != ChannelOutputShutdownEvent.INSTANCE) {
      context.fireUserEventTriggered(event);
    }
  }

  private void endInput(ChannelHandlerContext context) {
    inputEnded = true;
    if (!head.between()) {
      channelRead(context, brokenOff());
      context.fireChannelReadComplete();
    } else if (underWay == 0) {
      var _ = context.close();
    } else {
      probe.start(context);
    }
  }

  private static HttpObject brokenOff() {
    LastHttpContent end = new DefaultLastHttpContent();
    end.setDecoderResult(
        DecoderResult.failure(
            new RefusedRequest(BAD_REQUEST, "body: ended early (expected: all of it)")));
    return end;
  }
}
