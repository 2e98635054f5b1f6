package meridian.node.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.core.model.ModelState;
import meridian.core.model.ModelVersion;
import meridian.core.model.VersionStatus;
import meridian.node.version.ServedVersion;
import org.jspecify.annotations.Nullable;

/**
 * A model at one instant, for those who read: replaced as a whole whenever something changes.
 *
 * @param newest the one that answers requests without a version; null when none is ready
 * @param ready all that answer, by number as the protocol writes it
 * @param versions all that are known, ascending
 * @param note about the model as a whole: what is wrong with its folder, what was skipped
 * @param broken true when {@code note} keeps it from serving
 * @param mustServe whether the server is not ready without it
 */
record ModelView(
    String name,
    @Nullable ServedVersion newest,
    Map<String, ServedVersion> ready,
    List<VersionView> versions,
    String note,
    boolean broken,
    boolean mustServe) {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  ModelView {
    ready = Map.copyOf(ready);
    versions = List.copyOf(versions);
  }

  Outcome<ServedVersion> find(@Nullable String version) {
    ServedVersion found = version == null ? newest : ready.get(version);
    return found != null ? Outcome.ok(found) : Outcome.failed(absence(version));
  }

  /** True unless the server waits for it. */
  boolean isReadyEnough() {
    return !mustServe || newest != null;
  }

  /** The lines of the index; one without a version when there is none. */
  List<VersionStatus> statuses() {
    if (versions.isEmpty()) {
      return List.of(new VersionStatus(name, "", ModelState.UNAVAILABLE, note));
    }
    List<VersionStatus> statuses = new ArrayList<>();
    for (VersionView version : versions) {
      boolean last = statuses.size() == versions.size() - 1;
      statuses.add(
          new VersionStatus(
              name,
              Long.toString(version.number()),
              version.phase().state(),
              last ? join(version.note(), note) : version.note()));
    }
    return statuses;
  }

  private Problem absence(@Nullable String version) {
    if (version == null) {
      return absenceOfAll();
    }
    OptionalLong number = ModelVersion.parse(version);
    if (number.isEmpty()) {
      return Problem.invalid("version", Quoted.of(version), ModelVersion.RULE);
    }
    for (VersionView known : versions) {
      if (known.number() == number.getAsLong()) {
        return absenceOf(known);
      }
    }
    return Problem.of(
        ErrorCode.NOT_FOUND,
        "version: %s of model \"%s\" is unknown (expected: one of %s)"
            .formatted(version, name, numbers()));
  }

  private Problem absenceOfAll() {
    for (Phase phase : List.of(Phase.LOADING, Phase.DRAINING, Phase.FAILED)) {
      for (VersionView version : versions.reversed()) {
        if (version.phase() == phase) {
          return absenceOf(version);
        }
      }
    }
    return broken
        ? Problem.of(ErrorCode.UNAVAILABLE, "model \"%s\": %s".formatted(name, note))
        : Problem.of(ErrorCode.NOT_FOUND, "model \"%s\": not loaded".formatted(name));
  }

  private Problem absenceOf(VersionView version) {
    String subject = "model \"%s\", version %d: ".formatted(name, version.number());
    return switch (version.phase()) {
      case LOADING ->
          Problem.retryLater(ErrorCode.UNAVAILABLE, subject + "still loading", RETRY_AFTER);
      case DRAINING ->
          Problem.retryLater(ErrorCode.UNAVAILABLE, subject + "being unloaded", RETRY_AFTER);
      case FAILED -> Problem.of(ErrorCode.UNAVAILABLE, subject + version.reason());
      case READY, IDLE ->
          Problem.of(ErrorCode.NOT_FOUND, subject + join("not loaded", version.reason()));
    };
  }

  private List<Long> numbers() {
    return versions.stream().map(VersionView::number).toList();
  }

  private static String join(String first, String second) {
    return first.isEmpty() || second.isEmpty() ? first + second : first + "; " + second;
  }
}
