package meridian.serving.framing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The bytes in which the head of the next request lies: those being read now, and those of earlier
 * reads that ended before a head was complete. There may be more in it than the head, so it can
 * only tell of what is not there: a client that pipelines, and mixes both framings in one write, is
 * refused too.
 */
final class HeadBytes {

  private static final String LENGTH_FIELD = "\ncontent-length";

  private final int maxBytes;
  private final ByteArrayOutputStream earlier = new ByteArrayOutputStream(0);
  private @Nullable ByteBuf current;
  private boolean between = true;

  HeadBytes(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  void reading(ByteBuf bytes) {
    current = bytes;
  }

  /** Keeps what was read if the head is still incomplete; the codec gives up past its limit. */
  void read() {
    if (between && current != null) {
      int room = Math.max(0, maxBytes - earlier.size());
      int count = Math.min(room, current.readableBytes());
      earlier.writeBytes(ByteBufUtil.getBytes(current, current.readerIndex(), count));
    }
    current = null;
  }

  void headEnded() {
    between = false;
    earlier.reset();
  }

  void requestEnded() {
    between = true;
  }

  /** True when the bytes of the last request have all been seen. */
  boolean between() {
    return between;
  }

  /** True when a line that begins with the field's name may be among the headers. */
  boolean mayHaveLength() {
    String text =
        earlier.toString(StandardCharsets.ISO_8859_1)
            + (current == null ? "" : current.toString(StandardCharsets.ISO_8859_1));
    return text.toLowerCase(Locale.ROOT).contains(LENGTH_FIELD);
  }
}
