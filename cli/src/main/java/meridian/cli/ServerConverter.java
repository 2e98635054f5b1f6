package meridian.cli;

import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The address of a server, with or without {@code http://}. */
final class ServerConverter implements ITypeConverter<URI> {

  private static final String HTTP = "http";
  private static final String SCHEME_END = "://";

  @Override
  public URI convert(String text) {
    String whole = text.contains(SCHEME_END) ? text : HTTP + SCHEME_END + text;
    try {
      URI server = new URI(whole);
      if (server.getHost() != null && HTTP.equals(server.getScheme())) {
        return server;
      }
    } catch (URISyntaxException _) {
      // Says no more than the refusal below.
    }
    throw new TypeConversionException(text + " (expected: http://HOST:PORT or HOST:PORT)");
  }
}
