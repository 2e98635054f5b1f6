package meridian.serving.body;

import io.netty.buffer.ByteBuf;
import java.io.InputStream;

/** Reads a buffer, whose owner keeps it, and knows how far. */
final class CountingInput extends InputStream {

  private static final int DEFLATE_METHOD = 8;
  private static final int HEADER_CHECK = 31;

  private final ByteBuf buffer;
  private final int size;

  CountingInput(ByteBuf buffer) {
    this.buffer = buffer.slice();
    this.size = buffer.readableBytes();
  }

  /** All bytes there are. */
  long size() {
    return size;
  }

  /** Bytes read. */
  long count() {
    return buffer.readerIndex();
  }

  boolean startsLikeZlib() {
    if (size < 2) {
      return true;
    }
    int header = buffer.getUnsignedShort(0);
    return ((header >> 8) & 0xF) == DEFLATE_METHOD && header % HEADER_CHECK == 0;
  }

  @Override
  public int available() {
    return buffer.readableBytes();
  }

  @Override
  public int read() {
    return buffer.isReadable() ? buffer.readUnsignedByte() : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (!buffer.isReadable()) {
      return -1;
    }
    int count = Math.min(length, buffer.readableBytes());
    buffer.readBytes(target, offset, count);
    return count;
  }
}
