package meridian.onnx;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import meridian.onnx.capi.OrtFailure;
import org.jspecify.annotations.Nullable;

/**
 * Tells runs that failed on the values they were given from those that failed otherwise. Inputs fit
 * the signature before they get here, so that what the runtime calls an invalid argument is their
 * values. A text that is no number ends in an exception of the C++ library instead, of which the
 * runtime knows only the name of the function that threw it.
 */
final class ValueFault {

  private static final Pattern NO_NUMBER =
      Pattern.compile("(?<=: )(?:invalid )?sto(?:d|f|i|l|ld|ll|ul|ull)\\b.*$");

  private ValueFault() {}

  /** What the graph refuses, or null when the values are not known to be at fault. */
  static @Nullable String in(OrtFailure failure) {
    String message = RuntimeMessage.oneLine(failure);
    Matcher noNumber = NO_NUMBER.matcher(message);
    if (noNumber.find()) {
      return noNumber.replaceFirst("a text that is no number of the type it is cast to");
    }
    return failure.isInvalidArgument() ? message : null;
  }
}
