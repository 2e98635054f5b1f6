package meridian.serving.framing;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Follows the preface and the frames of an HTTP/2 connection byte by byte, to tell whether the
 * client owes the rest of something: of the preface, of a frame, or of headers that go on in
 * another frame.
 */
final class FrameBytes {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_BYTES = 9;
  private static final int TYPE_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;
  private static final int END_HEADERS = 4;

  private int prefaceBytes;
  private int headBytes;
  private int length;
  private int type;
  private int flags;
  private int payloadLeft;
  private boolean headersGoOn;
  private boolean settled;
  private boolean lost;

  /** Takes what was read; true when something came to its end. */
  boolean read(ByteBuf bytes) {
    boolean ended = false;
    int at = readPreface(bytes, bytes.readerIndex());
    while (at < bytes.writerIndex() && !lost) {
      if (headBytes < HEAD_BYTES) {
        readHead(bytes.getUnsignedByte(at++));
      } else {
        int count = Math.min(payloadLeft, bytes.writerIndex() - at);
        payloadLeft -= count;
        at += count;
      }
      ended |= endFrame();
    }
    return ended;
  }

  private int readPreface(ByteBuf bytes, int from) {
    int at = from;
    while (prefaceBytes < PREFACE.length && at < bytes.writerIndex() && !lost) {
      lost = bytes.getByte(at++) != PREFACE[prefaceBytes++];
    }
    return at;
  }

  private void readHead(short next) {
    if (headBytes < TYPE_AT) {
      length = length << 8 | next;
    } else if (headBytes == TYPE_AT) {
      type = next;
    } else if (headBytes == FLAGS_AT) {
      flags = next;
    }
    headBytes++;
    payloadLeft = length;
  }

  private boolean endFrame() {
    if (headBytes < HEAD_BYTES || payloadLeft > 0) {
      return false;
    }
    headersGoOn =
        (type == HEADERS || (type == CONTINUATION && headersGoOn)) && (flags & END_HEADERS) == 0;
    headBytes = 0;
    length = 0;
    settled = true;
    return !headersGoOn;
  }

  /** True when it did not begin with the preface; nothing is followed then. */
  boolean lost() {
    return lost;
  }

  /** True while something has begun and not ended. The first frame belongs to the preface. */
  boolean incomplete() {
    return !lost && (!settled || headBytes > 0 || headersGoOn);
  }
}
