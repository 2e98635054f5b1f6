package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;

/**
 * Writes the elements of a BYTES tensor as JSON strings: as text, which has to be UTF-8, or base64.
 */
final class StringWriter {

  private static final int PREFIX = Integer.BYTES;

  private final JsonGenerator out;
  private final String path;
  private final NamedTensor named;
  private final boolean base64;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private CharBuffer chars = CharBuffer.allocate(256);

  StringWriter(JsonGenerator out, String path, NamedTensor named, boolean base64) {
    this.out = out;
    this.path = path;
    this.named = named;
    this.base64 = base64;
  }

  void write() throws IOException, ProblemException {
    MemorySegment data = named.tensor().data();
    out.writeStartArray();
    long at = 0;
    for (long i = 0; at < data.byteSize(); i++) {
      long length = Integer.toUnsignedLong(data.get(Tensor.INT32, at));
      element(i, data.asSlice(at + PREFIX, length));
      at += PREFIX + length;
    }
    out.writeEndArray();
  }

  private void element(long index, MemorySegment element) throws IOException, ProblemException {
    if (base64) {
      out.writeString(Base64.getEncoder().encodeToString(element.toArray(ValueLayout.JAVA_BYTE)));
    } else if (decode(element.asByteBuffer())) {
      out.writeString(chars.array(), 0, chars.position());
    } else {
      throw new ProblemException(
          Problem.of(
              ErrorCode.NOT_REPRESENTABLE,
              "%s.data[%d]: bytes that are not UTF-8 in \"%s\" (expected: UTF-8, or a request for binary data or with \"content_encoding\": \"base64\" on the output)"
                  .formatted(path, index, named.name())));
    }
  }

  private boolean decode(ByteBuffer bytes) {
    if (chars.capacity() < bytes.remaining()) {
      chars = CharBuffer.allocate(2 * bytes.remaining());
    }
    chars.clear();
    decoder.reset();
    return !decoder.decode(bytes, chars, true).isError();
  }
}
