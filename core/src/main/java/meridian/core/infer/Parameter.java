package meridian.core.infer;

import meridian.core.error.Quoted;

/** The value of a request or response parameter. Whole numbers are exact over all of 64 bits. */
public sealed interface Parameter {

  /** As JSON writes it, for messages: text shortened and cleaned. */
  default String quoted() {
    return switch (this) {
      case Bool(boolean value) -> Boolean.toString(value);
      case Int(long value) -> Long.toString(value);
      case Unsigned(long bits) -> Long.toUnsignedString(bits);
      case Real(double value) -> Double.toString(value);
      case Text(String value) -> Quoted.of(value);
    };
  }

  record Bool(boolean value) implements Parameter {}

  record Int(long value) implements Parameter {}

  /** Above the range of {@link Int}; the bits of an unsigned 64-bit integer. */
  record Unsigned(long bits) implements Parameter {}

  record Real(double value) implements Parameter {}

  record Text(String value) implements Parameter {}
}
