package meridian.node.lifecycle;

import java.nio.file.Path;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.node.repository.ModelFiles;
import meridian.node.repository.ModelSource;
import meridian.node.repository.VersionSource;
import meridian.node.version.ServedVersion;

/** Makes a version that can serve out of one that lies in a folder. Takes its time. */
final class VersionLoader {

  private final Surroundings around;
  private final long warmUpLimitNanos;

  VersionLoader(Surroundings around, long warmUpLimitNanos) {
    this.around = around;
    this.warmUpLimitNanos = warmUpLimitNanos;
  }

  /**
   * @param nanos from the reading of the file to the last warm-up
   */
  record Loaded(ServedVersion version, long nanos) {}

  /**
   * Loads, probes and warms. On failure everything taken has been given back.
   *
   * @throws ModelLoadException with the reason
   */
  Loaded load(LoadOrder order) throws ModelLoadException {
    long startNanos = around.clock().nanos();
    Holdings holdings = new Holdings();
    try {
      order.requireWanted();
      LoadedModel model = around.backend().load(file(order), order.settings().execution());
      holdings.add(model::close);
      order.requireWanted();
      VersionAssembly assembly = new VersionAssembly(order, model, holdings);
      ServedVersion version = assembly.serve(around, warmUpLimitNanos);
      return new Loaded(version, around.clock().nanos() - startNanos);
    } catch (ModelLoadException | RuntimeException | Error e) {
      giveBack(holdings, e);
      throw e;
    }
  }

  private static Path file(LoadOrder order) throws ModelLoadException {
    ModelSource model = order.model();
    VersionSource version = order.version();
    if (version.fault() != null) {
      throw new ModelLoadException(version.fault());
    }
    return ModelFiles.resolve(
        model.folder(), version.folder(), "version " + version.number(), order.settings().file());
  }

  private static void giveBack(Holdings holdings, Throwable failure) {
    try {
      holdings.close();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
