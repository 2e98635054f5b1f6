package meridian.serving.exchange;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells requests at once that their connection is gone. Armeria waits a second for HTTP/1.1, in
 * which a queue may start work that nobody wants.
 */
public final class Disconnects extends ChannelInboundHandlerAdapter {

  private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();

  private Disconnects() {}

  public static void install(ChannelPipeline pipeline) {
    pipeline.addFirst(new Disconnects());
  }

  /** Those of the request's connection; null for HTTP/2, which needs none. */
  static @Nullable Disconnects of(ServiceRequestContext context) {
    Channel channel = context.log().partial().channel();
    return channel == null || context.sessionProtocol().isMultiplex()
        ? null
        : channel.pipeline().get(Disconnects.class);
  }

  void add(Runnable listener) {
    listeners.add(listener);
  }

  void remove(Runnable listener) {
    listeners.remove(listener);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    List.copyOf(listeners).forEach(Runnable::run);
    context.fireChannelInactive();
  }
}
