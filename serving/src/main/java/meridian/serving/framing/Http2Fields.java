package meridian.serving.framing;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What RFC 9113 §8 calls malformed and the codec takes. */
final class Http2Fields {

  private Http2Fields() {}

  /**
   * @throws Http2Exception that ends the stream, where a pseudo-header is repeated or the authority
   *     is none
   */
  static void check(int streamId, Http2Headers headers) throws Http2Exception {
    Set<String> pseudo = new HashSet<>();
    for (Map.Entry<CharSequence, CharSequence> field : headers) {
      CharSequence name = field.getKey();
      if (name.charAt(0) == ':' && !pseudo.add(name.toString())) {
        throw malformed(streamId, name + " is repeated");
      }
    }
    CharSequence authority = headers.authority();
    if (authority != null && !RequestCheck.isHost(authority)) {
      throw malformed(streamId, ":authority is neither host nor host:port");
    }
  }

  private static Http2Exception malformed(int streamId, String reason) {
    return Http2Exception.streamError(streamId, Http2Error.PROTOCOL_ERROR, reason);
  }
}
