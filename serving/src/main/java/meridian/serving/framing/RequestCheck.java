package meridian.serving.framing;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Pattern;
import meridian.core.error.Quoted;
import org.jspecify.annotations.Nullable;

/** What RFC 9112 wants refused and the codec takes. */
final class RequestCheck {

  private static final int BAD_REQUEST = 400;
  private static final int VERSION_NOT_SUPPORTED = 505;
  private static final Pattern HOST =
      Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[\\w.~!$&'()*+,;=%-]*)(:\\d*)?");

  private RequestCheck() {}

  /** Why the request must not be served, or null. */
  static @Nullable RefusedRequest check(HttpRequest request, HeadBytes head) {
    HttpVersion version = request.protocolVersion();
    if (!version.protocolName().equals("HTTP") || version.majorVersion() != 1) {
      return new RefusedRequest(
          VERSION_NOT_SUPPORTED, "version: " + version + " (expected: HTTP/1.1 or HTTP/1.0)");
    }
    RefusedRequest host = checkHost(request);
    return host == null && isAmbiguous(request, head)
        ? new RefusedRequest(
            BAD_REQUEST,
            "Transfer-Encoding: leaves the body's length open"
                + " (expected: chunked, in HTTP/1.1, without Content-Length)")
        : host;
  }

  private static @Nullable RefusedRequest checkHost(HttpRequest request) {
    List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1) {
      return badHost(hosts.size() + " headers", "one");
    }
    if (hosts.isEmpty()) {
      return request.protocolVersion().minorVersion() == 0
          ? null
          : badHost("missing", "one such header in HTTP/1.1");
    }
    return isHost(hosts.getFirst())
        ? null
        : badHost(Quoted.of(hosts.getFirst()), "host or host:port");
  }

  static boolean isHost(CharSequence text) {
    return HOST.matcher(text).matches();
  }

  private static RefusedRequest badHost(String what, String expected) {
    return new RefusedRequest(BAD_REQUEST, "Host: " + what + " (expected: " + expected + ")");
  }

  /** True where two readers could see different ends of the request. */
  private static boolean isAmbiguous(HttpRequest request, HeadBytes head) {
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.isEmpty()) {
      return false;
    }
    return codings.size() > 1
        || !codings.getFirst().equalsIgnoreCase("chunked")
        || request.protocolVersion().minorVersion() == 0
        || head.mayHaveLength();
  }
}
