package meridian.serving;

import com.linecorp.armeria.client.grpc.GrpcClients;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.UnaryOperator;
import meridian.core.model.ModelState;
import meridian.core.time.NanoClock;
import meridian.serving.ServerSettings.Listen;
import meridian.serving.ServerSettings.Shutdown;
import meridian.serving.telemetry.Metrics;

/** A server in front of a {@link FakeNode}, on any free ports, and ways to talk to it. */
final class Running implements AutoCloseable {

  static final String ECHO =
      """
      {"id":"a","inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","data":[1.5,-2]}]}\
      """;

  final FakeNode node = new FakeNode();
  final Metrics metrics = Metrics.create();
  final MeridianServer server;
  final HttpClient http;

  private Running(ServerSettings settings, HttpClient.Version version) {
    metrics.modelState("echo", "3", ModelState.READY);
    metrics.modelState("held", "3", ModelState.READY);
    server =
        MeridianServer.start(
            settings,
            new ServedApi("meridian", "0.1", node, node, node, metrics, NanoClock.SYSTEM));
    http = HttpClient.newBuilder().version(version).build();
  }

  static Running start() {
    return start(settings -> settings);
  }

  static Running start(UnaryOperator<ServerSettings> change) {
    return new Running(change.apply(settings()), HttpClient.Version.HTTP_1_1);
  }

  static Running startHttp2(UnaryOperator<ServerSettings> change) {
    return new Running(change.apply(settings()), HttpClient.Version.HTTP_2);
  }

  static ServerSettings settings() {
    ServerSettings defaults = ServerSettings.defaults();
    return new ServerSettings(
        new Listen("127.0.0.1", 0),
        new Listen("127.0.0.1", 0),
        "ams",
        defaults.bodies(),
        defaults.grpc(),
        defaults.timeouts(),
        defaults.connections(),
        defaults.threads(),
        new Shutdown(Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(1)),
        defaults.observability());
  }

  HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(server.inferenceUri().resolve(path));
  }

  HttpResponse<String> get(String path) {
    return send(to(path).GET());
  }

  HttpResponse<String> post(String path, String body) {
    return send(to(path).POST(BodyPublishers.ofString(body)));
  }

  HttpResponse<String> infer(String body) {
    return post("/v2/models/echo/infer", body);
  }

  HttpResponse<String> admin(String path) {
    return send(HttpRequest.newBuilder(server.administrationUri().resolve(path)));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    return send(request, BodyHandlers.ofString());
  }

  <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request.timeout(Duration.ofSeconds(20)).build(), handler);
    } catch (IOException e) {
      throw new AssertionError("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  <T> T grpc(Class<T> stub) {
    return GrpcClients.builder("gproto+" + h2c())
        .maxResponseLength(0)
        .maxResponseMessageLength(Integer.MAX_VALUE)
        .responseTimeoutMillis(20_000)
        .build(stub);
  }

  URI h2c() {
    return URI.create(server.inferenceUri().toString().replace("http://", "h2c://"));
  }

  static String postHead(String path, String header) {
    return "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n";
  }

  /** Sends bytes as they are. */
  Socket raw(String head) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.inferenceUri().getPort());
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  String metricsText() {
    return new String(metrics.expose(null).body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    http.close();
    server.close();
    RecordedLog.assertNoLeak();
  }
}
