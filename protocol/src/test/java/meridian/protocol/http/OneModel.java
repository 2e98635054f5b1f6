package meridian.protocol.http;

import java.util.List;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelStatistics;
import meridian.core.model.Signature;
import meridian.core.model.VersionStatus;
import org.jspecify.annotations.Nullable;

/** A catalog of the one model {@code m}. */
record OneModel(Signature signature) implements ModelCatalog {

  @Override
  public Outcome<ModelDescription> describe(String name, @Nullable String version) {
    return name.equals("m")
        ? Outcome.ok(new ModelDescription("m", "3", List.of("3"), "test", signature, Map.of()))
        : unknown();
  }

  @Override
  public Outcome<ModelConfiguration> configuration(String name, @Nullable String version) {
    return unknown();
  }

  @Override
  public Outcome<List<ModelStatistics>> statistics(
      @Nullable String name, @Nullable String version) {
    return unknown();
  }

  @Override
  public Outcome<ExecutionTimes> executionTimes(String name, @Nullable String version) {
    return unknown();
  }

  @Override
  public List<VersionStatus> index() {
    return List.of();
  }

  @Override
  public boolean ready() {
    return true;
  }

  private static <T> Outcome<T> unknown() {
    return Outcome.failed(Problem.of(ErrorCode.NOT_FOUND, "model: unknown"));
  }
}
