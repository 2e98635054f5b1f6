package meridian.node.lifecycle;

import meridian.node.config.ModelSettings;
import meridian.node.repository.ModelSource;
import meridian.node.repository.VersionSource;

/** What to load and how. */
record LoadOrder(ModelSource model, VersionSource version, ModelSettings settings) {}
