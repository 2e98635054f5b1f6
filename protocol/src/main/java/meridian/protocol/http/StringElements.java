package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Base64;
import meridian.core.error.ProblemException;
import meridian.core.tensor.Tensor;
import meridian.protocol.json.JsonInput;

/** Strings as UTF-8, or as the bytes that they give in base64. */
final class StringElements implements Elements {

  private static final int PREFIX = Integer.BYTES;
  private static final int MOST_BYTES_PER_CHAR = 3;
  private static final int INITIAL = 256;
  private static final int MOST = Integer.MAX_VALUE - 8;

  private final JsonInput in;
  private final JsonParser parser;
  private final boolean base64;
  private byte[] data = new byte[INITIAL];
  private int at;

  StringElements(JsonInput in, boolean base64) {
    this.in = in;
    this.parser = in.parser();
    this.base64 = base64;
  }

  @Override
  public void add(JsonToken token) throws IOException, ProblemException {
    if (token != JsonToken.VALUE_STRING) {
      throw in.unexpected(base64 ? "a base64 string for BYTES" : "a string for BYTES");
    }
    int start = at + PREFIX;
    if (base64) {
      addBase64();
    } else {
      addText(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    }
    MemorySegment.ofArray(data).set(Tensor.INT32, start - PREFIX, at - start);
  }

  private void addBase64() throws IOException, ProblemException {
    try {
      byte[] bytes = Base64.getDecoder().decode(parser.getText());
      reserve(PREFIX + (long) bytes.length);
      System.arraycopy(bytes, 0, data, at + PREFIX, bytes.length);
      at += PREFIX + bytes.length;
    } catch (IllegalArgumentException _) {
      throw in.unexpected("base64");
    }
  }

  private void addText(char[] text, int from, int length) throws IOException, ProblemException {
    reserve(PREFIX + (long) length * MOST_BYTES_PER_CHAR);
    at += PREFIX;
    int end = from + length;
    int i = from;
    while (i < end) {
      char c = text[i++];
      if (c < 0x80) {
        data[at++] = (byte) c;
      } else if (!Character.isSurrogate(c)) {
        addBasic(c);
      } else if (i < end && Character.isSurrogatePair(c, text[i])) {
        addSupplementary(Character.toCodePoint(c, text[i++]));
      } else {
        throw in.unexpected("whole surrogate pairs");
      }
    }
  }

  private void addBasic(int c) {
    if (c < 0x800) {
      data[at++] = (byte) (0xC0 | (c >> 6));
    } else {
      data[at++] = (byte) (0xE0 | (c >> 12));
      addContinuation(c >> 6);
    }
    addContinuation(c);
  }

  private void addSupplementary(int c) {
    data[at++] = (byte) (0xF0 | (c >> 18));
    addContinuation(c >> 12);
    addContinuation(c >> 6);
    addContinuation(c);
  }

  private void addContinuation(int bits) {
    data[at++] = (byte) (0x80 | (bits & 0x3F));
  }

  private void reserve(long bytes) throws ProblemException {
    long needed = at + bytes;
    if (needed <= data.length) {
      return;
    }
    if (needed > MOST) {
      throw JsonInput.invalid(in.path(), "more than " + MOST + " bytes", "at most as many");
    }
    data = Arrays.copyOf(data, (int) Math.max(needed, Math.min(2L * data.length, MOST)));
  }

  @Override
  public MemorySegment finish() {
    return MemorySegment.ofArray(data).asSlice(0, at);
  }
}
