package meridian.serving;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The thread that accepts a port's connections. It ends as soon as nothing is accepted any more.
 */
final class Acceptors extends MultiThreadIoEventLoopGroup {

  private static final int MOST_SECONDS = 2;

  private Acceptors(ThreadFactory thread, IoHandlerFactory handler) {
    super(1, thread, handler);
  }

  static EventLoopGroup named(String thread) {
    ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(thread, false);
    return switch (Flags.transportType()) {
      case EPOLL -> new Acceptors(threads, EpollIoHandler.newFactory());
      case NIO -> new Acceptors(threads, NioIoHandler.newFactory());
      default -> EventLoopGroups.newEventLoopGroup(1, threads);
    };
  }

  /** What Armeria calls. Netty's own would linger for two seconds. */
  @Override
  public Future<?> shutdownGracefully() {
    return shutdownGracefully(0, MOST_SECONDS, TimeUnit.SECONDS);
  }
}
