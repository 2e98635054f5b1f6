package meridian.cli;

import meridian.cli.bench.Priorities;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Priorities} as {@link Priorities#parse} reads them. */
final class PrioritiesConverter implements ITypeConverter<Priorities> {

  @Override
  public Priorities convert(String text) {
    try {
      return Priorities.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException(wrong.getMessage());
    }
  }
}
