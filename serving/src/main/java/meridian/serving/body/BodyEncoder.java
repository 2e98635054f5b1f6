package meridian.serving.body;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;

/** Puts the parts of an answer together, on the heap. */
public final class BodyEncoder {

  private static final int CHUNK_BYTES = 8 << 10;

  private BodyEncoder() {}

  /** The parts one after the other, without a copy. */
  public static ByteBuf plain(byte[] head, List<MemorySegment> tail) {
    if (tail.isEmpty()) {
      return Unpooled.wrappedBuffer(head);
    }
    ByteBuffer[] parts = new ByteBuffer[tail.size() + 1];
    parts[0] = ByteBuffer.wrap(head);
    for (int i = 0; i < tail.size(); i++) {
      parts[i + 1] = tail.get(i).asByteBuffer();
    }
    return Unpooled.wrappedBuffer(parts);
  }

  /** The parts one after the other, compressed. */
  public static ByteBuf compressed(ContentCoding coding, byte[] head, List<MemorySegment> tail) {
    ByteBuf buffer = Unpooled.buffer();
    try (OutputStream out = coding.compress(new ByteBufOutputStream(buffer))) {
      out.write(head);
      byte[] chunk = new byte[CHUNK_BYTES];
      for (MemorySegment part : tail) {
        write(part, chunk, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return buffer;
  }

  private static void write(MemorySegment part, byte[] chunk, OutputStream out) throws IOException {
    for (long at = 0; at < part.byteSize(); at += chunk.length) {
      int count = (int) Math.min(chunk.length, part.byteSize() - at);
      MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, chunk, 0, count);
      out.write(chunk, 0, count);
    }
  }
}
