package meridian.serving.exchange;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.stream.Stream;
import meridian.core.error.Problem;
import meridian.protocol.Headers;
import org.jspecify.annotations.Nullable;

/** Headers that are sent once: of two, a proxy and this server could each go by another. */
final class SingleHeaders {

  private static final List<AsciiString> NAMES =
      Stream.of(
              HttpHeaderNames.CONTENT_TYPE,
              Headers.JSON_LENGTH,
              Headers.TIMEOUT_MILLIS,
              Headers.TENANT,
              Timeouts.GRPC_TIMEOUT)
          .map(AsciiString::of)
          .toList();

  private SingleHeaders() {}

  /** Which is repeated, or null. */
  static @Nullable Problem check(RequestHeaders headers) {
    for (AsciiString name : NAMES) {
      int count = headers.getAll(name).size();
      if (count > 1) {
        return Problem.invalid(name.toString(), count + " headers", "one");
      }
    }
    return null;
  }
}
