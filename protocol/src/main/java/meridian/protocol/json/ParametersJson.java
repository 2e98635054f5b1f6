package meridian.protocol.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.protocol.Names;

/** Parameters as a JSON object of scalars; whole numbers are exact over all of 64 bits. */
public final class ParametersJson {

  private ParametersJson() {}

  /** Moves to the next value and reads it. */
  public static Parameters read(JsonInput in) throws IOException, ProblemException {
    in.startObject();
    Map<String, Parameter> values = new LinkedHashMap<>();
    while (in.nextField()) {
      String name = in.name();
      if (!Names.isUnicode(name)) {
        throw JsonInput.invalid(in.path(), "half a surrogate pair", "a name in Unicode");
      }
      values.put(name, value(in));
    }
    return values.isEmpty() ? Parameters.NONE : new Parameters(values);
  }

  private static Parameter value(JsonInput in) throws IOException, ProblemException {
    JsonParser parser = in.parser();
    return switch (in.next()) {
      case VALUE_TRUE -> new Parameter.Bool(true);
      case VALUE_FALSE -> new Parameter.Bool(false);
      case VALUE_STRING -> new Parameter.Text(in.currentString());
      case VALUE_NUMBER_INT -> integer(in, parser);
      case VALUE_NUMBER_FLOAT -> real(in, parser);
      default -> throw in.unexpected("a string, number or boolean");
    };
  }

  private static Parameter integer(JsonInput in, JsonParser parser)
      throws IOException, ProblemException {
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return new Parameter.Int(parser.getLongValue());
    }
    BigInteger value = parser.getBigIntegerValue();
    if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
      throw in.unexpected("a whole number from -2^63 to 2^64-1");
    }
    return new Parameter.Unsigned(value.longValue());
  }

  private static Parameter real(JsonInput in, JsonParser parser)
      throws IOException, ProblemException {
    double value = parser.getDoubleValue();
    if (!Double.isFinite(value)) {
      throw in.unexpected("a finite number");
    }
    return new Parameter.Real(value);
  }

  /** Writes one field; a real number has to be finite or the bare token legal. */
  public static void write(JsonGenerator out, String name, Parameter value) throws IOException {
    out.writeFieldName(name);
    switch (value) {
      case Parameter.Bool(boolean bool) -> out.writeBoolean(bool);
      case Parameter.Int(long number) -> out.writeNumber(number);
      case Parameter.Unsigned(long bits) -> out.writeNumber(Long.toUnsignedString(bits));
      case Parameter.Real(double number) -> out.writeNumber(Double.toString(number));
      case Parameter.Text(String text) -> out.writeString(text);
    }
  }
}
