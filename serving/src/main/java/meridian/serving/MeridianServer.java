package meridian.serving;

import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerPort;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import meridian.serving.ServerSettings.Listen;
import meridian.serving.ServerSettings.Shutdown;
import meridian.serving.exchange.Lifecycle;
import meridian.serving.telemetry.Metrics;
import meridian.serving.telemetry.Tracing;
import meridian.serving.telemetry.Watched;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: one port for inference, which speaks HTTP/1.1, HTTP/2, gRPC and gRPC-Web, and
 * one for administration, which speaks the same and adds metrics and descriptions of the API.
 *
 * <p>{@link #close} stops it in order: readiness goes off, and for the grace time everybody is
 * still served, so that balancers notice; then new requests are refused while those under way
 * finish; then connections are closed with GOAWAY. What stands behind the server is to be closed
 * after it.
 */
public final class MeridianServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MeridianServer.class);
  private static final String ANY_ADDRESS = "127.0.0.1";

  private final Server inference;
  private final Server administration;
  private final EventLoopGroup loops;
  private final ExecutorService workers;
  private final Lifecycle lifecycle;
  private final Tracing tracing;
  private final Metrics.Watch memory;
  private final Shutdown shutdown;
  private final URI inferenceUri;
  private final URI administrationUri;
  private final AtomicBoolean closed = new AtomicBoolean();

  private MeridianServer(ServerSettings settings, ServedApi api) {
    shutdown = settings.shutdown();
    lifecycle = new Lifecycle();
    loops = EventLoopGroups.newEventLoopGroup(Assembly.eventLoops(settings), "meridian-loop", true);
    workers = Assembly.workers(settings.threads());
    tracing = Assembly.tracing(settings.observability(), api);
    memory = api.metrics().watch(Watched.NATIVE_MEMORY_BYTES, "netty", Assembly::nettyBytes);
    Assembly assembly = new Assembly(settings, api, lifecycle, workers, tracing);
    inference = assembly.inference(loops);
    administration = assembly.administration(loops);
    try {
      administrationUri = listen(administration, settings.administration());
      inferenceUri = listen(inference, settings.inference());
    } catch (UncheckedIOException e) {
      stop();
      throw e;
    }
  }

  /**
   * Listens on both ports.
   *
   * @throws UncheckedIOException when a port cannot be had; names its address
   */
  public static MeridianServer start(ServerSettings settings, ServedApi api) {
    MeridianServer server = new MeridianServer(settings, api);
    LOG.atInfo()
        .addKeyValue("inference", server.inferenceUri)
        .addKeyValue("administration", server.administrationUri)
        .log("listening");
    return server;
  }

  public URI inferenceUri() {
    return inferenceUri;
  }

  public URI administrationUri() {
    return administrationUri;
  }

  /** Blocks until everything is over, at most the grace and drain times and a few seconds. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      lifecycle.leave();
      LOG.atInfo().addKeyValue("grace", shutdown.grace()).log("leaving");
      pause(shutdown.grace());
      drain();
      stop();
      LOG.atInfo().log("stopped");
    }
  }

  private static void pause(Duration time) {
    new CompletableFuture<Void>()
        .completeOnTimeout(null, time.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }

  private void drain() {
    CompletableFuture<Void> drained = lifecycle.refuse().toCompletableFuture();
    drained
        .copy()
        .orTimeout(shutdown.drain().toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(
            error -> {
              if (!(error instanceof TimeoutException)) {
                throw new IllegalStateException(error);
              }
              LOG.atWarn().addKeyValue("requests", lifecycle.underWay()).log("cut off");
              return null;
            })
        .join();
  }

  private void stop() {
    CompletableFuture.allOf(inference.stop(), administration.stop()).join();
    workers.shutdown();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    tracing.close();
    memory.close();
  }

  private static URI listen(Server server, Listen listen) {
    try {
      server.start().join();
    } catch (CompletionException e) {
      Throwable cause = Exceptions.peel(e);
      throw new UncheckedIOException(
          "cannot listen on %s:%d: %s"
              .formatted(bracketed(listen.host()), listen.port(), reason(cause)),
          new IOException(cause));
    }
    ServerPort port = Objects.requireNonNull(server.activePort(), "a started server has a port");
    InetSocketAddress address = port.localAddress();
    String host = address.getAddress().isAnyLocalAddress() ? ANY_ADDRESS : address.getHostString();
    return URI.create("http://" + bracketed(host) + ':' + address.getPort());
  }

  private static String reason(Throwable cause) {
    return cause instanceof UnresolvedAddressException
        ? "unknown host"
        : String.valueOf(cause.getMessage());
  }

  private static String bracketed(String host) {
    return host.indexOf(':') < 0 ? host : '[' + host + ']';
  }
}
