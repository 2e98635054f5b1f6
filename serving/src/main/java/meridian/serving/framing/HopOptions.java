package meridian.serving.framing;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What {@code Connection} may say. Armeria takes every field that it names from the request, the
 * host and the length of the body among them, as a proxy must; here nothing goes further.
 */
final class HopOptions {

  private static final Set<String> KNOWN =
      Set.of("close", "keep-alive", "upgrade", "http2-settings");

  private HopOptions() {}

  /** Leaves nothing but the options that mean something to a server. */
  static void clean(HttpHeaders headers) {
    List<String> values = headers.getAll(HttpHeaderNames.CONNECTION);
    if (values.isEmpty() || (values.size() == 1 && isKnown(values.getFirst()))) {
      return;
    }
    String known =
        values.stream()
            .flatMap(value -> Arrays.stream(value.split(",")))
            .map(String::strip)
            .filter(HopOptions::isKnown)
            .collect(Collectors.joining(", "));
    headers.remove(HttpHeaderNames.CONNECTION);
    if (!known.isEmpty()) {
      headers.set(HttpHeaderNames.CONNECTION, known);
    }
  }

  private static boolean isKnown(String option) {
    return KNOWN.contains(option.toLowerCase(Locale.ROOT));
  }
}
