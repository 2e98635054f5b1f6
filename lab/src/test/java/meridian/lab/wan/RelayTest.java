package meridian.lab.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Over real sockets. A link must never be faster than it says; how much slower the machine makes it
 * is only looked at as far as it would be another link.
 */
class RelayTest {

  private static final NanoClock CLOCK = NanoClock.SYSTEM;
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final LinkSettings LINK = LinkSettings.NONE.withRtt(Duration.ofMillis(60));

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ServerSocket echo;
  private Relay relay;

  @BeforeEach
  void start() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::serve);
    relay =
        Relay.start(
            ANY,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), echo.getLocalPort()),
            LINK,
            1,
            CLOCK);
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    echo.close();
    threads.shutdownNow();
  }

  private void serve() {
    while (!echo.isClosed()) {
      try {
        Socket socket = echo.accept();
        threads.execute(() -> echo(socket));
      } catch (IOException _) {
        return;
      }
    }
  }

  private static void echo(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException _) {
      // The link was reset.
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), relay.port());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(10_000);
    return socket;
  }

  /** Nanoseconds until a byte is back. */
  private static long ping(Socket socket) throws IOException {
    long sent = CLOCK.nanos();
    socket.getOutputStream().write(7);
    if (socket.getInputStream().read() != 7) {
      throw new IOException("no echo");
    }
    return CLOCK.nanos() - sent;
  }

  private static double medianPingMillis(Socket socket, int count) throws IOException {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      nanos[i] = ping(socket);
    }
    Arrays.sort(nanos);
    return nanos[count / 2] / 1e6;
  }

  @Test
  void ping_takesTheRoundTrip_andTheFirstOneMore() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ping(socket) / 1e6).isGreaterThanOrEqualTo(120);
      assertThat(medianPingMillis(socket, 15)).isBetween(60.0, 150.0);
    }
  }

  @Test
  void change_whileConnected_holdsForWhatFollows() throws IOException {
    try (Socket socket = connect()) {
      ping(socket);
      relay.change(LINK.withRtt(Duration.ofMillis(150)));
      assertThat(medianPingMillis(socket, 5)).isBetween(150.0, 400.0);
      relay.change(LinkSettings.NONE);
      assertThat(medianPingMillis(socket, 15)).isLessThan(60);
    }
  }

  @Test
  void bandwidth_bytesTakeTheirTime_andArriveWhole() throws Exception {
    relay.change(LINK.withBytesPerSecond(2_000_000));
    byte[] sent = new byte[500_000];
    new Random(5).nextBytes(sent);
    try (Socket socket = connect()) {
      ping(socket);
      long began = CLOCK.nanos();
      threads.execute(
          () -> {
            try {
              socket.getOutputStream().write(sent);
              socket.shutdownOutput();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      byte[] received = socket.getInputStream().readAllBytes();
      double millis = (CLOCK.nanos() - began) / 1e6;

      assertThat(ByteBuffer.wrap(received)).isEqualTo(ByteBuffer.wrap(sent));
      assertThat(millis).isBetween(60.0 + 250, 60.0 + 8 * 250);
    }
  }

  @Test
  void blackhole_nothingComesUntilItIsOver() throws IOException {
    try (Socket socket = connect()) {
      ping(socket);
      relay.change(LINK.blackhole());
      socket.setSoTimeout(400);
      assertThatThrownBy(() -> ping(socket)).isInstanceOf(SocketTimeoutException.class);

      socket.setSoTimeout(10_000);
      relay.change(LINK);
      assertThat(socket.getInputStream().read()).isEqualTo(7);
    }
  }

  @Test
  void oneWayClosed_requestsArriveAndAnswersDoNot() throws IOException {
    try (Socket socket = connect()) {
      ping(socket);
      relay.change(LINK.withClosed(Set.of(Direction.BACK)));
      socket.setSoTimeout(300);
      assertThatThrownBy(() -> ping(socket)).isInstanceOf(SocketTimeoutException.class);
      relay.change(LINK.withClosed(Set.of(Direction.THERE)));
      socket.setSoTimeout(10_000);
      assertThat(socket.getInputStream().read()).as("it was only the answer").isEqualTo(7);
    }
  }

  @Test
  void resets_thatShareOfConnections_break() throws IOException {
    relay.change(LinkSettings.NONE.withResets(0.3));
    int broken = 0;
    for (int i = 0; i < 100; i++) {
      try (Socket socket = connect()) {
        ping(socket);
        ping(socket);
      } catch (IOException _) {
        broken++;
      }
    }
    assertThat(broken).isBetween(15, 45);
  }

  @Test
  void resetAll_openConnections_breakAndNewOnesWork() throws IOException {
    try (Socket socket = connect()) {
      ping(socket);
      relay.resetAll();
      assertThatThrownBy(() -> ping(socket)).isInstanceOf(IOException.class);
      assertThat(relay.connections()).isZero();
    }
    try (Socket socket = connect()) {
      assertThat(ping(socket)).isPositive();
    }
  }

  @Test
  void target_thatDoesNotListen_isAReset() throws IOException {
    echo.close();
    try (Socket socket = connect()) {
      assertThatThrownBy(() -> ping(socket)).isInstanceOf(IOException.class);
    }
  }
}
