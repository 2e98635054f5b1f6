package meridian.serving;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.docs.DocService;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import meridian.protocol.Limits;
import meridian.protocol.control.ControlJson;
import meridian.protocol.control.ServerMetadata;
import meridian.protocol.grpc.InferGrpcCodec;
import meridian.protocol.http.InferHttpCodec;
import meridian.serving.ServerSettings.Bodies;
import meridian.serving.ServerSettings.Observability;
import meridian.serving.ServerSettings.Threads;
import meridian.serving.admin.MetricsService;
import meridian.serving.admin.OpenApi;
import meridian.serving.body.BodyDecoder;
import meridian.serving.exchange.AccessLog;
import meridian.serving.exchange.Exchanges;
import meridian.serving.exchange.Lifecycle;
import meridian.serving.exchange.Readiness;
import meridian.serving.exchange.Timeouts;
import meridian.serving.grpc.GrpcControl;
import meridian.serving.grpc.GrpcServices;
import meridian.serving.grpc.InferCalls;
import meridian.serving.rest.ControlEndpoints;
import meridian.serving.rest.InferEndpoint;
import meridian.serving.rest.RestService;
import meridian.serving.telemetry.Tracing;

/** Puts the services of both ports together: the one place that shows what calls what. */
final class Assembly {

  private final ServerSettings settings;
  private final ServedApi api;
  private final Readiness readiness;
  private final Exchanges exchanges;
  private final Timeouts timeouts;
  private final ControlJson json;
  private final ServerMetadata metadata;
  private final RestService rest;

  Assembly(
      ServerSettings settings,
      ServedApi api,
      Lifecycle lifecycle,
      ExecutorService workers,
      Tracing tracing) {
    this.settings = settings;
    this.api = api;
    json = new ControlJson(limits(settings.bodies().maxDecodedBytes()));
    metadata = new ServerMetadata(api.name(), api.version(), ServerMetadata.EXTENSIONS);
    readiness = new Readiness(api.catalog(), lifecycle);
    timeouts = new Timeouts(settings.timeouts().longest().toNanos());
    exchanges =
        new Exchanges(
            api.service(),
            api.catalog(),
            lifecycle,
            api.metrics(),
            tracing,
            settings.observability().accessLog() ? AccessLog.slf4j() : AccessLog.OFF,
            api.clock(),
            workers,
            settings.bodies().loopBytes(),
            settings.shutdown().retryAfter());
    rest = rest();
  }

  Server inference(EventLoopGroup loops) {
    ServerBuilder builder = Listeners.builder(settings, settings.inference(), loops, json);
    grpc().bind(builder, false);
    return builder.serviceUnder("/", rest).build();
  }

  Server administration(EventLoopGroup loops) {
    ServerBuilder builder = Listeners.builder(settings, settings.administration(), loops, json);
    grpc().bind(builder, true);
    return builder
        .service("/metrics", new MetricsService(api.metrics()))
        .service("/openapi.json", OpenApi.service())
        .serviceUnder("/docs", new DocService())
        .serviceUnder("/", rest)
        .build();
  }

  private RestService rest() {
    Bodies bodies = settings.bodies();
    BodyDecoder decoder = new BodyDecoder(bodies.maxDecodedBytes(), bodies.maxRatio());
    return new RestService(
        new InferEndpoint(
            exchanges,
            new InferHttpCodec(limits(bodies.maxDecodedBytes()), api.catalog()),
            json,
            decoder,
            timeouts,
            settings.region(),
            bodies.minCompressedBytes()),
        new ControlEndpoints(
            metadata, api.catalog(), api.control(), readiness, decoder, exchanges, json));
  }

  private GrpcServices grpc() {
    ServerSettings.Grpc grpc = settings.grpc();
    return new GrpcServices(
        new InferCalls(
            exchanges,
            new InferGrpcCodec(limits(grpc.maxRequestBytes())),
            timeouts,
            settings.region(),
            grpc.maxResponseBytes(),
            grpc.streamWindow()),
        new GrpcControl(metadata, api.catalog(), api.control(), readiness),
        json,
        grpc.maxRequestBytes(),
        grpc.maxResponseBytes(),
        grpc.healthInterval());
  }

  private static Limits limits(long maxBodyBytes) {
    return new Limits(maxBodyBytes, Limits.DEFAULT.maxDepth(), Limits.DEFAULT.maxRank());
  }

  static int eventLoops(ServerSettings settings) {
    return orProcessors(settings.threads().eventLoops());
  }

  static ExecutorService workers(Threads threads) {
    int count = orProcessors(threads.workers());
    ThreadPoolExecutor workers =
        new ThreadPoolExecutor(
            count,
            count,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(threads.maxQueued()),
            Thread.ofPlatform().daemon().name("meridian-body-", 0).factory());
    workers.allowCoreThreadTimeOut(true);
    return workers;
  }

  static Tracing tracing(Observability observability, ServedApi api) {
    URI endpoint = observability.otlpEndpoint();
    return endpoint == null
        ? Tracing.OFF
        : Tracing.otlp(endpoint, observability.sampledShare(), api.name());
  }

  /** Direct memory of the buffers that requests and answers pass through. */
  static long nettyBytes() {
    return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider
        ? provider.metric().usedDirectMemory()
        : 0;
  }

  private static int orProcessors(int count) {
    return count == 0 ? Runtime.getRuntime().availableProcessors() : count;
  }
}
