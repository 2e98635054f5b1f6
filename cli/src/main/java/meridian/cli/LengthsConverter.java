package meridian.cli;

import meridian.cli.bench.Lengths;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Lengths} as {@link Lengths#parse} reads them. */
final class LengthsConverter implements ITypeConverter<Lengths> {

  @Override
  public Lengths convert(String text) {
    try {
      return Lengths.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }
}
