package meridian.cli;

import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.infer.InferenceService;
import meridian.testkit.contract.InferenceServiceContract;
import org.junit.jupiter.api.AfterAll;

/** A whole region server, from a client's socket to ONNX Runtime and back. */
abstract class RegionServerContract extends InferenceServiceContract {

  private static final Queue<CompletableFuture<Void>> STOPPED = new ConcurrentLinkedQueue<>();

  private final Wire wire;
  private RegionServer server;
  private MeridianClient client;

  RegionServerContract(Wire wire) {
    this.wire = wire;
  }

  @Override
  protected InferenceService start(Path repository) throws Exception {
    server = TestServers.start(repository);
    client = MeridianClient.connect(server.inference(), wire);
    return client;
  }

  /** Stopping takes seconds, in which the next server can start. */
  @Override
  protected void stop() {
    client.close();
    STOPPED.add(CompletableFuture.runAsync(server::close));
  }

  @AfterAll
  static void awaitStopped() {
    STOPPED.forEach(CompletableFuture::join);
    STOPPED.clear();
  }
}
