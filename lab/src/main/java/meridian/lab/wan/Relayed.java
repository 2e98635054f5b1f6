package meridian.lab.wan;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import meridian.core.time.NanoClock;

/** One connection through a link. */
final class Relayed {

  private static final int RESET = 0;
  private static final int WAYS = 2;

  private final SocketChannel client;
  private final SocketChannel server;
  private final Way there;
  private final Way back;
  private final Consumer<Relayed> whenOver;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger open = new AtomicInteger(WAYS);

  /**
   * @param seed of what happens by chance
   * @param doomed whether it is reset once its first bytes have come through
   * @param whenOver told once
   */
  Relayed(
      SocketChannel client,
      SocketChannel server,
      Supplier<LinkSettings> settings,
      long seed,
      boolean doomed,
      NanoClock clock,
      Consumer<Relayed> whenOver) {
    this.client = client;
    this.server = server;
    this.whenOver = whenOver;
    long greetedNanos = clock.nanos() + settings.get().rtt().toNanos() * 3 / 2;
    LinkModel linkThere = new LinkModel(seed, greetedNanos);
    LinkModel linkBack = new LinkModel(~seed, greetedNanos);
    this.there = new Way(client, server, Direction.THERE, doomed, settings, linkThere, clock);
    this.back = new Way(server, client, Direction.BACK, false, settings, linkBack, clock);
  }

  void start(ExecutorService threads) throws IOException {
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    server.setOption(StandardSocketOptions.TCP_NODELAY, true);
    for (Way way : new Way[] {there, back}) {
      threads.execute(() -> run(way::takeIn, false));
      threads.execute(() -> run(way::letOut, true));
    }
  }

  void settingsChanged() {
    there.wake(false);
    back.wake(false);
  }

  /** As when a router on the way says that there is no such connection. */
  void reset() {
    if (over.compareAndSet(false, true)) {
      there.wake(true);
      back.wake(true);
      abort(client);
      abort(server);
      whenOver.accept(this);
    }
  }

  private interface Half {
    void run() throws IOException, InterruptedException;
  }

  private void run(Half half, boolean lastOfItsWay) {
    try {
      half.run();
      if (lastOfItsWay && open.decrementAndGet() == 0) {
        reset();
      }
    } catch (IOException | InterruptedException _) {
      reset();
    }
  }

  static void abort(SocketChannel channel) {
    try {
      if (channel.isOpen()) {
        channel.setOption(StandardSocketOptions.SO_LINGER, RESET);
      }
      channel.close();
    } catch (IOException _) {
      // It was gone before.
    }
  }
}
