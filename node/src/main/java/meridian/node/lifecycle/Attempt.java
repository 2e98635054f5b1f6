package meridian.node.lifecycle;

import java.nio.file.Path;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.node.version.ServedVersion;

/**
 * A version as loaded with one number of threads. {@link #close} gives back everything that was
 * taken, unless it came to serve.
 */
final class Attempt implements AutoCloseable {

  private final LoadOrder order;
  private final Surroundings around;
  private final int threads;
  private final Holdings holdings = new Holdings();
  private boolean serves;

  Attempt(LoadOrder order, Surroundings around, int threads) {
    this.order = order;
    this.around = around;
    this.threads = threads;
  }

  /**
   * Loads and probes.
   *
   * @param limitNanos for each of what is run before the first request
   */
  VersionAssembly load(Path file, long limitNanos) throws ModelLoadException {
    order.requireWanted();
    LoadedModel model = around.backend().load(file, order.settings().execution().with(threads));
    holdings.add(model::close);
    order.requireWanted();
    return new VersionAssembly(order, model, threads, around, limitNanos, holdings);
  }

  /**
   * @param assembly that was loaded and prepared here
   */
  ServedVersion serve(VersionAssembly assembly, PastLoads past) throws ModelLoadException {
    ServedVersion version = assembly.serve(past);
    serves = true;
    return version;
  }

  @Override
  public void close() {
    if (!serves) {
      holdings.close();
    }
  }
}
