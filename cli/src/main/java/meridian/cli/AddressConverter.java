package meridian.cli;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code host:port}. */
final class AddressConverter implements ITypeConverter<InetSocketAddress> {

  private static final int MOST = 65_535;

  @Override
  public InetSocketAddress convert(String text) {
    int colon = text.lastIndexOf(':');
    int port = colon < 1 ? -1 : port(text.substring(colon + 1));
    if (port < 0) {
      throw new TypeConversionException(text + " (expected: host:port, such as 127.0.0.1:8080)");
    }
    InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), port);
    if (address.isUnresolved()) {
      throw new TypeConversionException(text + " (expected: a host that can be found)");
    }
    return address;
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port <= MOST ? port : -1;
    } catch (NumberFormatException _) {
      return -1;
    }
  }
}
