package meridian.protocol.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;

/** Parameters as a JSON object of scalars; whole numbers are exact over all of 64 bits. */
public final class ParametersJson {

  private ParametersJson() {}

  /** Moves to the next value and reads it. */
  public static Parameters read(JsonInput in) throws IOException, ProblemException {
    in.startObject();
    Map<String, Parameter> values = new LinkedHashMap<>();
    while (in.nextField()) {
      values.put(in.name(), in.parameter());
    }
    return values.isEmpty() ? Parameters.NONE : new Parameters(values);
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
