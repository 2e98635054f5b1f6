package meridian.pipeline.text;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.tensor.ByteStrings;
import meridian.core.tensor.Tensor;

/** The elements of a BYTES tensor as strings. Nothing is replaced: what is not UTF-8 is refused. */
final class TextReader {

  private static final char REPLACEMENT = '\uFFFD';

  private final int maxTextBytes;

  TextReader(int maxTextBytes) {
    this.maxTextBytes = maxTextBytes;
  }

  /**
   * @param field such as {@code inputs[0].data}
   */
  String[] read(Tensor tensor, String field) throws ProblemException {
    String[] texts = new String[requireCount(tensor, field)];
    byte[] raw = tensor.data().toArray(ValueLayout.JAVA_BYTE);
    int at = 0;
    for (int i = 0; i < texts.length; i++) {
      int length = tensor.data().get(Tensor.INT32, at);
      texts[i] = decode(raw, at + Integer.BYTES, length, field, i);
      at += Integer.BYTES + length;
    }
    return texts;
  }

  private static int requireCount(Tensor tensor, String field) throws ProblemException {
    long count = ByteStrings.count(tensor.data());
    if (count != tensor.elementCount()) {
      throw new ProblemException(
          Problem.invalid(
              field,
              count < 0 ? "a length that is cut off or exceeds the data" : count + " elements",
              tensor.elementCount() + " elements, each behind its length"));
    }
    return Math.toIntExact(count);
  }

  private String decode(byte[] raw, int offset, int length, String field, int index)
      throws ProblemException {
    if (length > maxTextBytes) {
      throw new ProblemException(
          Problem.of(
              ErrorCode.TOO_LARGE,
              "%s[%d]: %d bytes (expected: at most %d)"
                  .formatted(field, index, length, maxTextBytes)));
    }
    String text = new String(raw, offset, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8(raw, offset, length)) {
      throw new ProblemException(
          Problem.invalid(field + '[' + index + ']', "bytes that are not UTF-8", "UTF-8 text"));
    }
    return text;
  }

  /** The fast decoder marks its replacements with a character that a text may also contain. */
  private static boolean isUtf8(byte[] raw, int offset, int length) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw, offset, length));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
