package meridian.core.infer;

/** The value of a request or response parameter. Whole numbers are exact over all of 64 bits. */
public sealed interface Parameter {

  record Bool(boolean value) implements Parameter {}

  record Int(long value) implements Parameter {}

  /** Above the range of {@link Int}; the bits of an unsigned 64-bit integer. */
  record Unsigned(long bits) implements Parameter {}

  record Real(double value) implements Parameter {}

  record Text(String value) implements Parameter {}
}
