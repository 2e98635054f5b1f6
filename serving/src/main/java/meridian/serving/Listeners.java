package meridian.serving;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.common.util.TransportType;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.UnixChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Predicate;
import meridian.protocol.control.ControlJson;
import meridian.serving.ServerSettings.Connections;
import meridian.serving.ServerSettings.Listen;
import meridian.serving.exchange.Disconnects;
import meridian.serving.framing.FramingGuard;
import meridian.serving.rest.ErrorResponses;
import meridian.serving.rest.RestService;

/** Armeria servers as both ports need them. */
final class Listeners {

  private static final int CHUNK_BYTES = 64 << 10;

  /** So that what has been answered is also written; waiting for the work is done before. */
  private static final Duration QUIET = Duration.ofMillis(10);

  private static final Duration LAST_WRITES = Duration.ofSeconds(2);

  /** Headers that say on whose behalf a request comes are a stranger's word. */
  private static final Predicate<InetAddress> NOBODY = _ -> false;

  private Listeners() {}

  static ServerBuilder builder(
      ServerSettings settings, Listen listen, EventLoopGroup loops, ControlJson json) {
    ServerBuilder builder =
        Server.builder()
            .port(new InetSocketAddress(listen.host(), listen.port()), SessionProtocol.HTTP)
            .workerGroup(loops, false)
            .bossGroupFactory(Acceptors::named)
            .meterRegistry(NoopMeterRegistry.get())
            .disableServerHeader()
            .unloggedExceptionsReportInterval(Duration.ZERO)
            .errorHandler(
                new ErrorResponses(
                    settings.timeouts().read(), settings.shutdown().retryAfter(), json))
            .requestTimeout(settings.timeouts().read())
            .requestAutoAbortDelay(RestService.LAST_READS)
            .idleTimeout(settings.timeouts().idle())
            .maxRequestLength(settings.bodies().maxBytes())
            .clientAddressTrustedProxyFilter(NOBODY)
            .gracefulShutdown(
                GracefulShutdown.builder().quietPeriod(QUIET).timeout(LAST_WRITES).build())
            .childChannelPipelineCustomizer(
                pipeline -> {
                  Disconnects.install(pipeline);
                  FramingGuard.install(
                      pipeline, maxHeadBytes(settings.connections()), settings.timeouts().read());
                });
    limit(builder, settings.connections());
    return builder;
  }

  private static int maxHeadBytes(Connections connections) {
    return connections.maxLineBytes() + connections.maxHeaderBytes();
  }

  private static void limit(ServerBuilder builder, Connections connections) {
    builder
        .maxNumConnections(connections.max())
        .http1MaxInitialLineLength(connections.maxLineBytes())
        .http1MaxHeaderSize(connections.maxHeaderBytes())
        .http1MaxChunkSize(CHUNK_BYTES)
        .http2MaxHeaderListSize(connections.maxHeaderBytes())
        .http2MaxStreamsPerConnection(connections.maxStreams())
        .http2MaxResetFramesPerWindow(
            connections.maxResets(), (int) connections.resetWindow().toSeconds())
        .channelOption(ChannelOption.SO_BACKLOG, connections.backlog())
        .childChannelOption(ChannelOption.TCP_NODELAY, true);
    if (connections.reusePort()) {
      requireEpoll();
      builder.channelOption(UnixChannelOption.SO_REUSEPORT, true);
    }
  }

  private static void requireEpoll() {
    if (!TransportType.EPOLL.isAvailable()) {
      throw new IllegalArgumentException(
          "connections.reusePort: true (expected: false where there is no epoll)");
    }
  }
}
