package meridian.serving.rest;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import org.jspecify.annotations.Nullable;

/**
 * Browsers say which site's page made a request that changes something. A page of another site must
 * not load or unload models of a server that its visitor can reach.
 */
final class Origin {

  private Origin() {}

  /** Why the request is refused, or null; programs that are no browsers send no origin. */
  static @Nullable Problem check(RequestHeaders headers) {
    String origin = headers.get(HttpHeaderNames.ORIGIN);
    return origin == null || host(origin).equalsIgnoreCase(headers.authority())
        ? null
        : Problem.of(
            ErrorCode.NOT_ALLOWED,
            "Origin: " + Quoted.of(origin) + " (expected: this server, or no such header)");
  }

  private static String host(String origin) {
    int scheme = origin.indexOf("://");
    return scheme < 0 ? "" : origin.substring(scheme + "://".length());
  }
}
