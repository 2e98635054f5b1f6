package meridian.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tells text from other bytes. */
public final class Utf8 {

  private Utf8() {}

  /** True when every element is well-formed UTF-8. */
  public static boolean isValid(List<byte[]> elements) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    for (byte[] element : elements) {
      try {
        decoder.decode(ByteBuffer.wrap(element));
      } catch (CharacterCodingException _) {
        return false;
      }
    }
    return true;
  }
}
