package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.NumberInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import meridian.core.error.ProblemException;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Tensor;
import meridian.protocol.json.DecimalSink;
import meridian.protocol.json.JsonInput;

/**
 * Floating-point numbers, each the nearest of its type to the decimal, ties to even. A decimal
 * whose nearest number would be infinity, as IEEE 754 rounds, is a fault: FP16 takes 65519.9 as
 * 65504 and refuses 65520. Infinity itself has a token of its own; the bare tokens NaN, Infinity
 * and -Infinity are taken.
 */
final class RealElements implements Elements, DecimalSink {

  private final JsonInput in;
  private final JsonParser parser;
  private final DataType type;
  private final MemorySegment data;
  private long at;

  RealElements(JsonInput in, DataType type, int count) {
    this.in = in;
    this.parser = in.parser();
    this.type = type;
    this.data = MemorySegment.ofArray(new byte[count * type.byteSize()]);
  }

  @Override
  public void add(JsonToken token) throws IOException, ProblemException {
    if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
      throw in.unexpected("a number for " + type);
    }
    char[] text = parser.getTextCharacters();
    int from = parser.getTextOffset();
    int length = parser.getTextLength();
    if (text[from + length - 1] > '9') {
      storeSpecial(new String(text, from, length));
    } else {
      store(text, from, length);
      requireFinite();
    }
    at += type.byteSize();
  }

  @Override
  public long ahead(long most) {
    return in.ahead(most, false, this);
  }

  @Override
  public boolean take(boolean negative, long digits, int exponent) {
    return switch (type) {
      case FP32 -> takeFloat(FastDecimal.toFloat(negative, digits, exponent));
      case FP64 -> takeDouble(FastDecimal.toDouble(negative, digits, exponent));
      default -> false;
    };
  }

  private boolean takeFloat(float value) {
    if (Float.isNaN(value)) {
      return false;
    }
    data.set(Tensor.FP32, at, value);
    at += Float.BYTES;
    return true;
  }

  private boolean takeDouble(double value) {
    if (Double.isNaN(value)) {
      return false;
    }
    data.set(Tensor.FP64, at, value);
    at += Double.BYTES;
    return true;
  }

  private void store(char[] text, int from, int length) {
    switch (type) {
      case FP32 -> data.set(Tensor.FP32, at, NumberInput.parseFloat(text, from, length, true));
      case FP64 -> data.set(Tensor.FP64, at, NumberInput.parseDouble(text, from, length, true));
      case FP16 -> data.set(Tensor.INT16, at, HalfPrecision.FP16.parse(text, from, length));
      default -> data.set(Tensor.INT16, at, HalfPrecision.BF16.parse(text, from, length));
    }
  }

  private void requireFinite() throws IOException, ProblemException {
    float stored =
        switch (type) {
          case FP32 -> data.get(Tensor.FP32, at);
          case FP64 -> Double.isInfinite(data.get(Tensor.FP64, at)) ? Float.POSITIVE_INFINITY : 0;
          case FP16 -> HalfPrecision.FP16.toFloat(data.get(Tensor.INT16, at));
          default -> HalfPrecision.BF16.toFloat(data.get(Tensor.INT16, at));
        };
    if (Float.isInfinite(stored)) {
      throw in.unexpected(range());
    }
  }

  private String range() {
    String largest =
        switch (type) {
          case FP32 -> Float.toString(Float.MAX_VALUE);
          case FP64 -> Double.toString(Double.MAX_VALUE);
          case FP16 -> "65504";
          default -> "3.3895314E38";
        };
    return "a number from -%s to %s for %s".formatted(largest, largest, type);
  }

  private void storeSpecial(String token) throws IOException, ProblemException {
    float value =
        switch (token) {
          case "NaN" -> Float.NaN;
          case "Infinity" -> Float.POSITIVE_INFINITY;
          case "-Infinity" -> Float.NEGATIVE_INFINITY;
          default -> throw in.unexpected("a number, NaN, Infinity or -Infinity for " + type);
        };
    switch (type) {
      case FP32 -> data.set(Tensor.FP32, at, value);
      case FP64 -> data.set(Tensor.FP64, at, value);
      case FP16 -> data.set(Tensor.INT16, at, HalfPrecision.FP16.round(value));
      default -> data.set(Tensor.INT16, at, HalfPrecision.BF16.round(value));
    }
  }

  @Override
  public MemorySegment finish() {
    return data;
  }
}
