package meridian.lab.wan;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import meridian.core.time.NanoClock;

/**
 * A link between those who connect here and one server: it relays TCP and does to the bytes what
 * its settings say, which may change at any time. What happens by chance depends on the seed and
 * the number of the connection alone.
 *
 * <p>Opening a connection costs a round trip, as it does on a real link; it is paid before the
 * first byte comes out, since the socket here is open at once. For the same reason a link that is
 * closed still accepts connections, and nothing comes of them.
 */
public final class Relay implements AutoCloseable {

  private final ServerSocketChannel listener;
  private final SocketAddress target;
  private final NanoClock clock;
  private final long seed;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<Relayed> connections = ConcurrentHashMap.newKeySet();
  private volatile LinkSettings settings;
  private long accepted;

  private Relay(
      ServerSocketChannel listener,
      SocketAddress target,
      LinkSettings settings,
      long seed,
      NanoClock clock) {
    this.listener = listener;
    this.target = target;
    this.settings = settings;
    this.seed = seed;
    this.clock = clock;
  }

  /**
   * @param listen where to accept connections; port 0 for any that is free
   * @throws IOException if nothing can listen there
   */
  public static Relay start(
      InetSocketAddress listen,
      InetSocketAddress target,
      LinkSettings settings,
      long seed,
      NanoClock clock)
      throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(listen);
    } catch (IOException e) {
      listener.close();
      throw e;
    }
    Relay relay = new Relay(listener, target, settings, seed, clock);
    relay.threads.execute(relay::accept);
    return relay;
  }

  public int port() throws IOException {
    return ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  public LinkSettings settings() {
    return settings;
  }

  /** For all bytes that enter from now on; ways open and close for those under way too. */
  public void change(LinkSettings other) {
    settings = other;
    connections.forEach(Relayed::settingsChanged);
  }

  /** Resets every connection that is open. */
  public void resetAll() {
    connections.forEach(Relayed::reset);
  }

  public int connections() {
    return connections.size();
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        relay(listener.accept());
      } catch (ClosedChannelException _) {
        return;
      } catch (IOException _) {
        // That client has gone already; the next may not.
      }
    }
  }

  private void relay(SocketChannel client) {
    SplittableRandom random = new SplittableRandom(seed + accepted++);
    boolean doomed = random.nextDouble() < settings.resets();
    long linkSeed = random.nextLong();
    threads.execute(() -> connect(client, linkSeed, doomed));
  }

  private void connect(SocketChannel client, long linkSeed, boolean doomed) {
    try {
      SocketChannel server = SocketChannel.open(target);
      Relayed connection =
          new Relayed(client, server, () -> settings, linkSeed, doomed, clock, connections::remove);
      connections.add(connection);
      connection.start(threads);
    } catch (IOException _) {
      Relayed.abort(client);
    }
  }

  /** Resets what is open, and stops to listen. */
  @Override
  public void close() throws IOException {
    listener.close();
    resetAll();
    threads.shutdownNow();
    threads.close();
  }
}
