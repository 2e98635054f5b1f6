package meridian.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.time.Deadline;

/**
 * What the protocol itself reads out of a request's parameters.
 *
 * @param timeoutMicros 0 for none
 * @param priority 1 is the highest; 0 leaves it to the model
 * @param binaryOutput whether outputs that say nothing of their own come back binary
 * @param allowNan whether JSON may carry the bare tokens NaN, Infinity and -Infinity
 * @param rest the parameters that the protocol has no use for, in their order
 */
public record InferOptions(
    long timeoutMicros, int priority, boolean binaryOutput, boolean allowNan, Parameters rest) {

  public static final String TIMEOUT = "timeout";
  public static final String PRIORITY = "priority";
  public static final String BINARY_OUTPUT = "binary_data_output";
  public static final String ALLOW_NAN = "allow_nan";

  private static final InferOptions NONE = new InferOptions(0, 0, false, false, Parameters.NONE);

  /**
   * @throws ProblemException when a parameter that the protocol knows has a value of the wrong kind
   */
  public static InferOptions of(Parameters parameters) throws ProblemException {
    if (parameters.isEmpty()) {
      return NONE;
    }
    Map<String, Parameter> rest = new LinkedHashMap<>(parameters.values());
    return new InferOptions(
        count(rest, TIMEOUT, Long.MAX_VALUE),
        (int) count(rest, PRIORITY, Integer.MAX_VALUE),
        bool(rest, BINARY_OUTPUT),
        bool(rest, ALLOW_NAN),
        new Parameters(rest));
  }

  /** The earlier of {@code deadline} and the timeout counted from {@code nowNanos}. */
  public Deadline deadline(Deadline deadline, long nowNanos) {
    return timeoutMicros == 0
        ? deadline
        : deadline.earlier(Deadline.after(nowNanos, TimeUnit.MICROSECONDS.toNanos(timeoutMicros)));
  }

  private static long count(Map<String, Parameter> rest, String name, long most)
      throws ProblemException {
    return switch (rest.remove(name)) {
      case null -> 0;
      case Parameter.Int(long value) when value >= 0 && value <= most -> value;
      case Parameter.Unsigned(_) when most == Long.MAX_VALUE -> most;
      case Parameter other -> throw invalid(name, other, "a whole number from 0 to " + most);
    };
  }

  private static boolean bool(Map<String, Parameter> rest, String name) throws ProblemException {
    return switch (rest.remove(name)) {
      case null -> false;
      case Parameter.Bool(boolean value) -> value;
      case Parameter other -> throw invalid(name, other, "true or false");
    };
  }

  private static ProblemException invalid(String name, Parameter actual, String expected) {
    return new ProblemException(Problem.invalid("parameters." + name, actual.quoted(), expected));
  }
}
