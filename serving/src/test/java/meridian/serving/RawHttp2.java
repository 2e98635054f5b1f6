package meridian.serving;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** HTTP/2 frame by frame, good and bad. */
final class RawHttp2 implements AutoCloseable {

  static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int GOAWAY = 7;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  /** How HPACK writes {@code :status: 400} and {@code :status: 200}. */
  static final int BAD_REQUEST = 0x8c;

  static final int OK = 0x88;

  private final Socket socket;
  private final DataInputStream in;
  private int resets;

  record Frame(int type, int flags, int stream, byte[] payload) {
    String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }
  }

  record Answer(int status, String body) {}

  RawHttp2(Running running, String preface) throws IOException {
    socket = running.raw(preface);
    in = new DataInputStream(socket.getInputStream());
  }

  static RawHttp2 connect(Running running) throws IOException {
    RawHttp2 connection = new RawHttp2(running, PREFACE);
    connection.write(frame(SETTINGS, 0, 0, new byte[0]));
    return connection;
  }

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .putShort((short) (payload.length >> 8))
        .put((byte) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Names and values in turn, as HPACK without its tables. */
  static byte[] block(String... headers) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (int i = 0; i < headers.length; i++) {
      if (i % 2 == 0) {
        block.write(0);
      }
      byte[] text = headers[i].getBytes(StandardCharsets.ISO_8859_1);
      block.write(text.length);
      block.writeBytes(text);
    }
    return block.toByteArray();
  }

  static byte[] get(int stream, String method, String path, String... more) {
    byte[] head = block(":method", method, ":path", path, ":scheme", "http", ":authority", "x");
    byte[] rest = block(more);
    return frame(HEADERS, END_STREAM | END_HEADERS, stream, joined(head, rest));
  }

  static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /**
   * Ends this side and takes what the server still says. A server that closes before it has read
   * all resets the connection; what it said before has then arrived.
   */
  byte[] untilEnd() throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try {
      socket.shutdownOutput();
      for (int each = in.read(); each >= 0; each = in.read()) {
        said.write(each);
      }
    } catch (SocketException _) {
      // Said above.
    }
    return said.toByteArray();
  }

  /** The next frame; throws at the end of the connection. */
  Frame read() throws IOException {
    int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
    Frame frame =
        new Frame(
            in.readUnsignedByte(), in.readUnsignedByte(), in.readInt(), in.readNBytes(length));
    resets += frame.type() == RST_STREAM ? 1 : 0;
    return frame;
  }

  /** Streams that the server has reset, as far as frames were read. */
  int resets() {
    return resets;
  }

  /** The answer on a stream, when it has come to a clean end. */
  Answer answer(int stream) throws IOException {
    int status = 0;
    StringBuilder body = new StringBuilder();
    while (true) {
      Frame frame = read();
      if (frame.stream() == stream && frame.type() != HEADERS && frame.type() != DATA) {
        throw new IOException("stream cut by a frame of type " + frame.type());
      }
      if (frame.stream() == stream && frame.type() == HEADERS && status == 0) {
        status = frame.payload()[0] & 0xff;
      } else if (frame.stream() == stream) {
        body.append(frame.text());
      }
      if (frame.stream() == stream && (frame.flags() & END_STREAM) != 0) {
        return new Answer(status, body.toString());
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
