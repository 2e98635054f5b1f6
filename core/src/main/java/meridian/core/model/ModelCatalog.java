package meridian.core.model;

import java.util.List;
import meridian.core.error.Outcome;
import meridian.core.latency.ExecutionTimes;
import org.jspecify.annotations.Nullable;

/**
 * What is served. A null version means the one that answers requests which name none: the highest
 * ready one. Unknown names and versions are {@code NOT_FOUND}, those loading or draining {@code
 * UNAVAILABLE}.
 */
public interface ModelCatalog {

  Outcome<ModelDescription> describe(String name, @Nullable String version);

  Outcome<ModelConfiguration> configuration(String name, @Nullable String version);

  /** Of one version, of all versions of a model, or of everything when the name is null too. */
  Outcome<List<ModelStatistics>> statistics(@Nullable String name, @Nullable String version);

  /** How long executions take, as measured at load and since. */
  Outcome<ExecutionTimes> executionTimes(String name, @Nullable String version);

  /** Every version the repository knows, by name, then version. */
  List<VersionStatus> index();

  /**
   * True when the server should get traffic: the first scan of the repository is over, every model
   * that should serve has a ready version, and the server is not draining.
   */
  boolean ready();
}
