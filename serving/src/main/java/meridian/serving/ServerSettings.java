package meridian.serving;

import java.net.URI;
import java.time.Duration;
import meridian.core.error.Quoted;
import meridian.core.model.ModelName;
import org.jspecify.annotations.Nullable;

/**
 * How the server listens and what it allows. Messages of broken settings begin with the key.
 *
 * @param region the name shown in {@code Meridian-Region}, by the rule for names of models; empty
 *     for none
 */
public record ServerSettings(
    Listen inference,
    Listen administration,
    String region,
    Bodies bodies,
    Grpc grpc,
    Timeouts timeouts,
    Connections connections,
    Threads threads,
    Shutdown shutdown,
    Observability observability) {

  public ServerSettings {
    if (!region.isEmpty() && !ModelName.isValid(region)) {
      throw new IllegalArgumentException(
          "region: " + Quoted.of(region) + " (expected: nothing, or " + ModelName.RULE + ")");
    }
  }

  public static ServerSettings defaults() {
    return new ServerSettings(
        new Listen("0.0.0.0", 8080),
        new Listen("127.0.0.1", 8081),
        "",
        Bodies.DEFAULT,
        Grpc.DEFAULT,
        Timeouts.DEFAULT,
        Connections.DEFAULT,
        Threads.DEFAULT,
        Shutdown.DEFAULT,
        Observability.DEFAULT);
  }

  public ServerSettings withInference(Listen other) {
    return new ServerSettings(
        other,
        administration,
        region,
        bodies,
        grpc,
        timeouts,
        connections,
        threads,
        shutdown,
        observability);
  }

  public ServerSettings withAdministration(Listen other) {
    return new ServerSettings(
        inference,
        other,
        region,
        bodies,
        grpc,
        timeouts,
        connections,
        threads,
        shutdown,
        observability);
  }

  /**
   * @param port 0 for any free one
   */
  public record Listen(String host, int port) {
    public Listen {
      if (host.isBlank()) {
        throw new IllegalArgumentException("host: empty (expected: an address to listen on)");
      }
      Checks.within("port", port, 0, 65_535);
    }
  }

  /**
   * Bodies of the REST interface.
   *
   * @param maxBytes as it comes over the wire
   * @param maxDecodedBytes after decompression
   * @param maxRatio most bytes that one byte of a compressed body may become, once it has become 1
   *     MiB
   * @param loopBytes the largest body read and written on an event loop; larger ones go to a worker
   * @param minCompressedBytes the smallest answer worth compressing
   */
  public record Bodies(
      long maxBytes, long maxDecodedBytes, int maxRatio, int loopBytes, int minCompressedBytes) {
    public static final Bodies DEFAULT = new Bodies(64L << 20, 64L << 20, 250, 64 << 10, 1 << 10);

    public Bodies {
      Checks.within("bodies.maxBytes", maxBytes, 1, 1L << 30);
      Checks.within("bodies.maxDecodedBytes", maxDecodedBytes, 1, 1L << 30);
      Checks.within("bodies.maxRatio", maxRatio, 1, 1 << 20);
      Checks.within("bodies.loopBytes", loopBytes, 0, 1 << 20);
      Checks.within("bodies.minCompressedBytes", minCompressedBytes, 0, 1 << 30);
    }
  }

  /**
   * @param maxRequestBytes of one message, after decompression
   * @param maxResponseBytes of one message
   * @param streamWindow requests of one stream that may be under way at once
   * @param healthInterval how often a watched health is looked at
   */
  public record Grpc(
      int maxRequestBytes, int maxResponseBytes, int streamWindow, Duration healthInterval) {
    public static final Grpc DEFAULT = new Grpc(64 << 20, 64 << 20, 64, Duration.ofSeconds(1));

    public Grpc {
      Checks.within("grpc.maxRequestBytes", maxRequestBytes, 1, 1 << 30);
      Checks.within("grpc.maxResponseBytes", maxResponseBytes, 1, 1 << 30);
      Checks.within("grpc.streamWindow", streamWindow, 1, 1 << 16);
      Checks.positive("grpc.healthInterval", healthInterval);
    }
  }

  /**
   * @param read within which the head of a request or a frame has to arrive, from its first byte
   *     on, and the whole of a body
   * @param longest the deadline of a request that sets none or a later one
   * @param idle after which a connection is closed on which nothing is asked or begun
   */
  public record Timeouts(Duration read, Duration longest, Duration idle) {
    public static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(30), Duration.ofMinutes(10), Duration.ofSeconds(60));

    public Timeouts {
      Checks.positive("timeouts.read", read);
      Checks.positive("timeouts.longest", longest);
      Checks.positive("timeouts.idle", idle);
    }
  }

  /**
   * @param maxLineBytes of an HTTP/1.1 request line
   * @param maxHeaderBytes of all headers of a request
   * @param maxStreams requests of one HTTP/2 connection at once
   * @param maxResets streams that a client may reset within {@code resetWindow} before its
   *     connection is closed
   * @param backlog connections that wait to be accepted
   * @param reusePort whether several processes may listen on one port; needs epoll
   */
  public record Connections(
      int max,
      int maxLineBytes,
      int maxHeaderBytes,
      int maxStreams,
      int maxResets,
      Duration resetWindow,
      int backlog,
      boolean reusePort) {
    public static final Connections DEFAULT =
        new Connections(
            65_536, 8 << 10, 16 << 10, 1_000, 100_000, Duration.ofSeconds(30), 4_096, false);

    public Connections {
      Checks.within("connections.max", max, 1, 1 << 24);
      Checks.within("connections.maxLineBytes", maxLineBytes, 256, 1 << 20);
      Checks.within("connections.maxHeaderBytes", maxHeaderBytes, 1 << 10, 1 << 20);
      Checks.within("connections.maxStreams", maxStreams, 1, 1 << 20);
      Checks.within("connections.maxResets", maxResets, 1, 1 << 20);
      Checks.within("connections.resetWindow", resetWindow.toSeconds(), 1, 3_600);
      Checks.within("connections.backlog", backlog, 1, 65_535);
    }
  }

  /**
   * @param eventLoops 0 for one per processor
   * @param workers threads for large and compressed bodies; 0 for one per processor
   * @param maxQueued bodies that wait for a worker; more are refused
   */
  public record Threads(int eventLoops, int workers, int maxQueued) {
    public static final Threads DEFAULT = new Threads(0, 0, 1_024);

    public Threads {
      Checks.within("threads.eventLoops", eventLoops, 0, 1_024);
      Checks.within("threads.workers", workers, 0, 1_024);
      Checks.within("threads.maxQueued", maxQueued, 1, 1 << 20);
    }
  }

  /**
   * @param grace how long requests are still served after readiness went off
   * @param drain how long those under way may take after that
   * @param retryAfter what refused requests are told
   */
  public record Shutdown(Duration grace, Duration drain, Duration retryAfter) {
    public static final Shutdown DEFAULT =
        new Shutdown(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(1));

    public Shutdown {
      Checks.notNegative("shutdown.grace", grace);
      Checks.notNegative("shutdown.drain", drain);
      Checks.positive("shutdown.retryAfter", retryAfter);
    }
  }

  /**
   * @param accessLog whether each request is logged
   * @param otlpEndpoint where spans go by OTLP over HTTP; null keeps tracing off
   * @param sampledShare of the requests whose caller did not decide, 0 to 1
   */
  public record Observability(boolean accessLog, @Nullable URI otlpEndpoint, double sampledShare) {
    public static final Observability DEFAULT = new Observability(false, null, 1.0);

    public Observability {
      if (!(sampledShare >= 0 && sampledShare <= 1)) {
        throw new IllegalArgumentException(
            "observability.sampledShare: " + sampledShare + " (expected: 0 to 1)");
      }
    }
  }
}
