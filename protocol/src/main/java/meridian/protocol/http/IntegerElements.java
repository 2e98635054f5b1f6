package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.error.ProblemException;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Tensor;
import meridian.protocol.json.DecimalSink;
import meridian.protocol.json.JsonInput;

/** Whole numbers, exact over 64 bits; one outside its type is a fault, as is 1.5, 1e3 or "5". */
final class IntegerElements implements Elements, DecimalSink {

  private static final int MOST_DIGITS = 20;

  private final JsonInput in;
  private final JsonParser parser;
  private final DataType type;
  private final IntegerRange range;
  private final MemorySegment data;
  private long at;

  IntegerElements(JsonInput in, DataType type, int count) {
    this.in = in;
    this.parser = in.parser();
    this.type = type;
    this.range = IntegerRange.of(type);
    this.data = MemorySegment.ofArray(new byte[count * type.byteSize()]);
  }

  @Override
  public void add(JsonToken token) throws IOException, ProblemException {
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw outside();
    }
    store(value());
  }

  @Override
  public long ahead(long most) {
    return in.ahead(most, true, this);
  }

  @Override
  public boolean take(boolean negative, long digits, int exponent) {
    boolean held = range.holds(negative, digits);
    if (held) {
      store(negative ? -digits : digits);
    }
    return held;
  }

  private long value() throws IOException, ProblemException {
    char[] text = parser.getTextCharacters();
    int from = parser.getTextOffset();
    int end = from + parser.getTextLength();
    boolean negative = text[from] == '-';
    int digits = negative ? from + 1 : from;
    if (end - digits > MOST_DIGITS) {
      throw outside();
    }
    long magnitude = 0;
    for (int i = digits; i < end; i++) {
      int digit = text[i] - '0';
      if (Long.compareUnsigned(magnitude, IntegerRange.MAX_BEFORE_DIGIT) > 0
          || (magnitude == IntegerRange.MAX_BEFORE_DIGIT && digit > 5)) {
        throw outside();
      }
      magnitude = magnitude * 10 + digit;
    }
    if (!range.holds(negative, magnitude)) {
      throw outside();
    }
    return negative ? -magnitude : magnitude;
  }

  private void store(long value) {
    switch (type.byteSize()) {
      case Byte.BYTES -> data.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      case Short.BYTES -> data.set(Tensor.INT16, at, (short) value);
      case Integer.BYTES -> data.set(Tensor.INT32, at, (int) value);
      default -> data.set(Tensor.INT64, at, value);
    }
    at += type.byteSize();
  }

  private ProblemException outside() throws IOException {
    return in.unexpected(range + " for " + type);
  }

  @Override
  public MemorySegment finish() {
    return data;
  }
}
