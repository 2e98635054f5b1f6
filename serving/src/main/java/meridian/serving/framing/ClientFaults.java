package meridian.serving.framing;

import com.linecorp.armeria.internal.common.util.ExceptionClassifier;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * Tells Armeria which exceptions a stranger's bytes can raise, and which come of the end that such
 * a conversation is given here, so that it does not log them as warnings. It is found as a service.
 */
public final class ClientFaults implements ExceptionClassifier {

  @Override
  public boolean isExpected(Throwable cause) {
    return cause instanceof RefusedRequest
        || cause instanceof ChannelOutputShutdownException
        || (cause instanceof Http2Exception fault && fault.error() != Http2Error.INTERNAL_ERROR);
  }
}
