package meridian.node.lifecycle;

import meridian.node.config.ModelSettings;
import meridian.node.repository.ModelSource;
import meridian.node.repository.VersionSource;
import meridian.node.warmup.Progress;

/**
 * What to load and how.
 *
 * @param progress to be told how far the load has come
 */
record LoadOrder(
    ModelSource model, VersionSource version, ModelSettings settings, Progress progress) {}
