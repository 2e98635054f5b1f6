package meridian.node.lifecycle;

import meridian.node.repository.ModelSource;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the repository saw of a model.
 *
 * @param source null when it is not there
 * @param first whether it was the first look that could read the repository
 */
record Sighting(String model, @Nullable ModelSource source, long nowNanos, boolean first) {}
