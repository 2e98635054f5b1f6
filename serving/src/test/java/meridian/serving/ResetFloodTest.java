package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import meridian.serving.ServerSettings.Connections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Streams opened and reset at once, frame by frame. */
class ResetFloodTest {

  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final int MOST_RESETS = 50;

  private final Running running =
      Running.start(
          s ->
              Settings.with(
                  s,
                  new Connections(
                      1_000, 1_024, 4_096, 100, MOST_RESETS, Duration.ofSeconds(60), 128, false)));

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void flood_pastTheLimit_closesTheConnectionAndOthersAreServed() throws Exception {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), running.server.inferenceUri().getPort())) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.write(frame(SETTINGS, 0, 0, new byte[0]));
      try {
        for (int stream = 1; stream < 4_000; stream += 2) {
          out.write(frame(HEADERS, 0x4, stream, head()));
          out.write(frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8}));
        }
      } catch (SocketException _) {
        // The server has closed already, which is the point.
      }
      assertThat(endsWithGoAway(new DataInputStream(socket.getInputStream()))).isTrue();
    }
    assertThat(running.node.calls).hasValue(0);
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
  }

  /** True when GOAWAY came before the end; a connection may also end in a reset of TCP. */
  private static boolean endsWithGoAway(DataInputStream in) throws IOException {
    boolean goAway = false;
    try {
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        goAway |= in.readUnsignedByte() == GOAWAY;
        in.skipNBytes(5L + length);
      }
    } catch (EOFException _) {
      return goAway;
    } catch (SocketException _) {
      return true;
    }
  }

  /** POST /v2/models/echo/infer in HPACK, as literals without indexing. */
  private static byte[] head() {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(0x83);
    head.write(0x86);
    literal(head, 4, "/v2/models/echo/infer");
    literal(head, 1, "x");
    return head.toByteArray();
  }

  private static void literal(ByteArrayOutputStream head, int indexedName, String value) {
    head.write(indexedName);
    head.write(value.length());
    head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.writeBytes(
        new byte[] {
          0, (byte) (payload.length >> 8), (byte) payload.length, (byte) type, (byte) flags
        });
    frame.writeBytes(new byte[] {0, (byte) (stream >> 16), (byte) (stream >> 8), (byte) stream});
    frame.writeBytes(payload);
    return frame.toByteArray();
  }
}
