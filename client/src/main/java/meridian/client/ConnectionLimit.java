package meridian.client;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Refuses to connect beyond a number. Armeria's pool opens a connection whenever those it has are
 * full, without a bound; this is asked right before it connects.
 */
final class ConnectionLimit implements Consumer<ChannelPipeline> {

  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  ConnectionLimit(int most) {
    this.most = most;
  }

  @Override
  public void accept(ChannelPipeline pipeline) {
    Channel channel = pipeline.channel();
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      var _ = channel.close();
      throw new AllConnectionsFullException(most);
    }
    var _ = channel.closeFuture().addListener(_ -> open.decrementAndGet());
  }

  /** Expected under load, so without a stack trace. */
  static final class AllConnectionsFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    AllConnectionsFullException(int most) {
      super(
          "connections: all %d are full (expected: fewer requests at once)".formatted(most),
          null,
          false,
          false);
    }
  }
}
