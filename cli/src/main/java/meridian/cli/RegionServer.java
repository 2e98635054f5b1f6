package meridian.cli;

import java.net.URI;
import java.time.InstantSource;
import meridian.core.backend.Backend;
import meridian.core.model.ModelCatalog;
import meridian.core.time.NanoClock;
import meridian.node.Node;
import meridian.serving.MeridianServer;
import meridian.serving.ServedApi;
import meridian.serving.telemetry.Metrics;

/** A region server, assembled: sockets, then the node, then ONNX Runtime. */
final class RegionServer implements AutoCloseable {

  private static final String NAME = "meridian";

  private final Backend backend;
  private final Node node;
  private final MeridianServer server;

  private RegionServer(Backend backend, Node node, MeridianServer server) {
    this.backend = backend;
    this.node = node;
    this.server = server;
  }

  /** Listens at once; readiness follows when the models are warm. Closes {@code backend} too. */
  static RegionServer start(MeridianConfig config, Backend backend) {
    NanoClock clock = NanoClock.SYSTEM;
    Metrics metrics = Metrics.create();
    Node node = null;
    try {
      node = Node.start(config.node(), backend, metrics, clock, InstantSource.system());
      ServedApi api = new ServedApi(NAME, Version.current(), node, node, node, metrics, clock);
      return new RegionServer(backend, node, MeridianServer.start(config.server(), api));
    } catch (RuntimeException notStarted) {
      if (node != null) {
        node.close();
      }
      backend.close();
      throw notStarted;
    }
  }

  URI inference() {
    return server.inferenceUri();
  }

  URI administration() {
    return server.administrationUri();
  }

  ModelCatalog catalog() {
    return node;
  }

  /** Readiness off, grace, in-flight finished, connections closed, then the models. */
  @Override
  public void close() {
    server.close();
    node.close();
    backend.close();
  }
}
