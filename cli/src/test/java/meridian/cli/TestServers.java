package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import meridian.onnx.OnnxRuntimeBackend;

/** Region servers on free loopback ports, with the configuration a user would give. */
final class TestServers {

  private static final long LOAD_SECONDS = 60;

  private TestServers() {}

  /** Starts one and waits until its models are ready. */
  static RegionServer start(Path models) throws Exception {
    RegionServer server = RegionServer.start(config(models), OnnxRuntimeBackend.open());
    long end = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(LOAD_SECONDS);
    while (!server.catalog().ready() && System.currentTimeMillis() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    assertThat(server.catalog().ready()).as(() -> server.catalog().index().toString()).isTrue();
    return server;
  }

  static MeridianConfig config(Path models) throws Exception {
    return ConfigOptions.loader()
        .load(
            null,
            Map.of(),
            Map.of(
                "node.models", models.toString(),
                "server.inference.host", "127.0.0.1",
                "server.inference.port", "0",
                "server.administration.port", "0",
                "server.shutdown.grace", "0s",
                "server.shutdown.drain", "5s"));
  }
}
