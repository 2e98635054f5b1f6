package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client takes one request back while its answer waits to be written. */
class StreamResetTest {

  private static final short INITIAL_WINDOW_SIZE = 4;
  private static final byte[] CANCEL = {0, 0, 0, 8};

  private final Running running = Running.start();

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void reset_answerThatWaits_leavesOtherRequestsOfTheConnection() throws IOException {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      connection.write(window(0));
      for (int stream = 1; stream < 21; stream += 2) {
        connection.write(RawHttp2.get(stream, "GET", "/v2/models/echo"));
        awaitHead(connection, stream);
        connection.write(RawHttp2.frame(RawHttp2.RST_STREAM, 0, stream, CANCEL));
      }
      connection.write(window(65_535));
      connection.write(RawHttp2.get(21, "GET", "/v2/models/echo"));

      assertThat(connection.answer(21).status()).isEqualTo(RawHttp2.OK);
    }
  }

  private static void awaitHead(RawHttp2 connection, int stream) throws IOException {
    RawHttp2.Frame frame = connection.read();
    while (frame.type() != RawHttp2.HEADERS || frame.stream() != stream) {
      assertThat(frame.type()).isNotEqualTo(RawHttp2.GOAWAY);
      frame = connection.read();
    }
  }

  private static byte[] window(int bytes) {
    byte[] setting = ByteBuffer.allocate(6).putShort(INITIAL_WINDOW_SIZE).putInt(bytes).array();
    return RawHttp2.frame(RawHttp2.SETTINGS, 0, 0, setting);
  }
}
