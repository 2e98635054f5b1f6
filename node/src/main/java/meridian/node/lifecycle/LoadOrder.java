package meridian.node.lifecycle;

import meridian.core.backend.ModelLoadException;
import meridian.node.config.ModelSettings;
import meridian.node.repository.ModelSource;
import meridian.node.repository.VersionSource;
import meridian.node.warmup.Progress;

/**
 * What to load and how.
 *
 * @param temporary whether the files came with the order and go with the version
 * @param progress to be told how far the load has come
 */
record LoadOrder(
    ModelSource model,
    VersionSource version,
    ModelSettings settings,
    boolean temporary,
    Progress progress) {

  /**
   * @throws ModelLoadException if nobody has a use for the version any more
   */
  void requireWanted() throws ModelLoadException {
    if (progress.isUnwanted()) {
      throw new ModelLoadException("server: stopping");
    }
  }
}
