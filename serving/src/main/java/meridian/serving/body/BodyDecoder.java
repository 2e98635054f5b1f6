package meridian.serving.body;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;

/**
 * Decompresses request bodies, whole, within bounds. Corrupt, cut off or followed by anything is
 * {@code INVALID_ARGUMENT}; an unknown coding, or several on top of each other, is {@code
 * UNSUPPORTED_ENCODING}; too much is {@code TOO_LARGE}.
 */
public final class BodyDecoder {

  private static final String HEADER = "Content-Encoding";
  private static final int FIRST_BYTES = 16 << 10;

  /** Below this an odd ratio is no threat, and small bodies of zeros have one. */
  private static final long RATIO_FREE_BYTES = 1 << 20;

  private final long maxDecodedBytes;
  private final int maxRatio;

  public BodyDecoder(long maxDecodedBytes, int maxRatio) {
    this.maxDecodedBytes = maxDecodedBytes;
    this.maxRatio = maxRatio;
  }

  /** True when a header of that value changes nothing. */
  public static boolean isIdentity(String header) {
    return header.isBlank() || header.strip().equalsIgnoreCase("identity");
  }

  /**
   * @param header the value of {@code Content-Encoding}, not an {@link #isIdentity identity}
   * @param body stays the caller's
   * @return heap memory of its own
   */
  public Outcome<MemorySegment> decode(String header, ByteBuf body) {
    ContentCoding coding = ContentCoding.named(header.strip());
    if (coding == null) {
      return Outcome.failed(unsupported(header));
    }
    if (!body.isReadable()) {
      return corrupt(coding, "empty");
    }
    CountingInput in = new CountingInput(body);
    try (DecodingStream stream = DecodingStream.of(coding, in)) {
      Outcome<MemorySegment> decoded = readAll(stream.decoded(), in.size());
      return decoded instanceof Outcome.Ok && !stream.clean().getAsBoolean()
          ? corrupt(coding, "more bytes after its end")
          : decoded;
    } catch (IOException e) {
      return corrupt(coding, e.getMessage() == null ? "cut off" : e.getMessage());
    }
  }

  private Outcome<MemorySegment> readAll(InputStream in, long encodedBytes) throws IOException {
    byte[] bytes = new byte[(int) Math.min(FIRST_BYTES, maxDecodedBytes + 1)];
    int size = 0;
    for (int read; (read = in.read(bytes, size, bytes.length - size)) >= 0; ) {
      size += read;
      if (size > maxDecodedBytes) {
        return Outcome.failed(tooLarge("more than " + maxDecodedBytes + " bytes decompressed"));
      }
      if (size > RATIO_FREE_BYTES && size / encodedBytes > maxRatio) {
        return Outcome.failed(ratio(size, encodedBytes));
      }
      if (size == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(2L * size, maxDecodedBytes + 1));
      }
    }
    return Outcome.ok(MemorySegment.ofArray(bytes).asSlice(0, size));
  }

  private Problem tooLarge(String actual) {
    return Problem.of(
        ErrorCode.TOO_LARGE, "body: " + actual + " (expected: at most " + maxDecodedBytes + ")");
  }

  private Problem ratio(int size, long encodedBytes) {
    return Problem.of(
        ErrorCode.TOO_LARGE,
        "body: %d bytes out of %d (expected: at most %d out of each)"
            .formatted(size, encodedBytes, maxRatio));
  }

  private static Outcome<MemorySegment> corrupt(ContentCoding coding, String fault) {
    return Outcome.failed(
        Problem.invalid("body", fault, "one complete " + coding.token() + " stream"));
  }

  private static Problem unsupported(String header) {
    return Problem.of(
        ErrorCode.UNSUPPORTED_ENCODING,
        HEADER + ": " + Quoted.of(header) + " (expected: one of " + ContentCoding.SUPPORTED + ")");
  }
}
