package meridian.node.sequence;

import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of its sequence.
 *
 * @param start whether the sequence begins with it
 * @param end whether the sequence ends with it
 */
public record SequenceRequest(SequenceId id, boolean start, boolean end) {

  static final String ID = "sequence_id";
  static final String START = "sequence_start";
  static final String END = "sequence_end";

  private static final int MOST_CHARACTERS = 128;

  public static Outcome<SequenceRequest> of(InferRequest request) {
    Parameters parameters = request.parameters();
    try {
      SequenceId id = new SequenceId(request.tenant(), id(parameters.get(ID)));
      return Outcome.ok(new SequenceRequest(id, flag(parameters, START), flag(parameters, END)));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  static String text(Parameter parameter) {
    return switch (parameter) {
      case Parameter.Bool(boolean value) -> Boolean.toString(value);
      case Parameter.Int(long value) -> Long.toString(value);
      case Parameter.Unsigned(long bits) -> Long.toUnsignedString(bits);
      case Parameter.Real(double value) -> Double.toString(value);
      case Parameter.Text(String value) ->
          '"'
              + (value.length() > MOST_CHARACTERS ? value.substring(0, MOST_CHARACTERS) : value)
              + '"';
    };
  }

  private static Parameter id(@Nullable Parameter id) throws ProblemException {
    boolean fits =
        switch (id) {
          case Parameter.Int(long value) -> value != 0;
          case Parameter.Unsigned _ -> true;
          case Parameter.Text(String value) ->
              !value.isEmpty() && value.length() <= MOST_CHARACTERS;
          case Parameter.Bool _, Parameter.Real _ -> false;
          case null -> false;
        };
    if (id == null || !fits) {
      throw new ProblemException(
          Problem.invalid(
              "parameters." + ID,
              id == null ? "missing" : text(id),
              "a whole number but 0, or 1 to " + MOST_CHARACTERS + " characters"));
    }
    return id;
  }

  private static boolean flag(Parameters parameters, String name) throws ProblemException {
    return switch (parameters.get(name)) {
      case null -> false;
      case Parameter.Bool(boolean value) -> value;
      case Parameter other ->
          throw new ProblemException(
              Problem.invalid("parameters." + name, text(other), "true or false"));
    };
  }
}
