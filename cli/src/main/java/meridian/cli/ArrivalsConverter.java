package meridian.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import meridian.cli.bench.Arrivals;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Arrivals} by their name in small letters. */
final class ArrivalsConverter implements ITypeConverter<Arrivals> {

  @Override
  public Arrivals convert(String text) {
    for (Arrivals arrivals : Arrivals.values()) {
      if (name(arrivals).equals(text.toLowerCase(Locale.ROOT))) {
        return arrivals;
      }
    }
    List<String> names = Arrays.stream(Arrivals.values()).map(ArrivalsConverter::name).toList();
    throw new TypeConversionException(text + " (expected: one of " + names + ")");
  }

  private static String name(Arrivals arrivals) {
    return arrivals.name().toLowerCase(Locale.ROOT);
  }
}
