package meridian.node.version;

import meridian.core.error.Outcome;
import org.jspecify.annotations.Nullable;

/** Finds the version that is to answer. */
public interface VersionResolver {

  /**
   * A lease on the version asked for, or on the one that answers when {@code version} is null;
   * {@code NOT_FOUND} or {@code UNAVAILABLE} otherwise, {@code INVALID_ARGUMENT} for a name or
   * number that breaks its rule.
   */
  Outcome<Lease> acquire(String model, @Nullable String version);
}
