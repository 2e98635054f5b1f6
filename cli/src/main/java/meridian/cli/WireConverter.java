package meridian.cli;

import java.util.Arrays;
import meridian.client.Wire;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A {@link Wire} by its name. */
final class WireConverter implements ITypeConverter<Wire> {

  @Override
  public Wire convert(String text) {
    for (Wire wire : Wire.values()) {
      if (wire.toString().equals(text)) {
        return wire;
      }
    }
    throw new TypeConversionException(
        text + " (expected: one of " + Arrays.toString(Wire.values()) + ")");
  }
}
