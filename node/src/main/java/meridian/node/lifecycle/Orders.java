package meridian.node.lifecycle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelName;
import meridian.core.model.VersionStatus;
import meridian.node.repository.ModelSource;
import meridian.node.repository.Overlay;
import meridian.node.repository.Repository;
import meridian.node.version.ServedVersion;
import org.jspecify.annotations.Nullable;

/** What operators ask for by name. Runs in a turn of the model. */
final class Orders {

  private static final List<ErrorCode> GRAVITY =
      List.of(ErrorCode.INVALID_ARGUMENT, ErrorCode.UNAVAILABLE, ErrorCode.INTERNAL);

  private final Repository repository;
  private final Entries entries;
  private final Replacement replacement;
  private final Retirement retirement;
  private final Turns turns;

  Orders(
      Repository repository,
      Entries entries,
      Replacement replacement,
      Retirement retirement,
      Turns turns) {
    this.repository = repository;
    this.entries = entries;
    this.replacement = replacement;
    this.retirement = retirement;
    this.turns = turns;
  }

  Outcome<List<VersionStatus>> load(LoadRequest request) {
    Problem problem = ModelName.check("model", request.name());
    if (problem != null) {
      return Outcome.failed(problem);
    }
    try {
      return request.files().isEmpty()
          ? loadFromRepository(request)
          : loadFrom(Overlay.write(request.name(), request.files()), request);
    } catch (ModelLoadException e) {
      return refused(request.name(), String.valueOf(e.getMessage()));
    }
  }

  CompletionStage<Outcome<List<VersionStatus>>> unload(String name) {
    Problem problem = ModelName.check("model", name);
    ModelEntry entry = entries.get(name);
    if (problem != null || entry == null) {
      return CompletableFuture.completedFuture(
          Outcome.failed(problem != null ? problem : unknown(name)));
    }
    return retire(entry).thenApply(Outcome::ok);
  }

  /** Takes the model out of service for good, with what a load request brought. */
  CompletionStage<List<VersionStatus>> retire(ModelEntry entry) {
    return retireAll(entry)
        .thenCompose(
            _ ->
                turns.take(
                    entry.name(),
                    () -> {
                      endOverride(entry);
                      return entry.view().statuses();
                    }));
  }

  private CompletionStage<Void> retireAll(ModelEntry entry) {
    entry.want(false);
    entry.fault("");
    entry.reconsider();
    List<CompletableFuture<Void>> closed = new ArrayList<>();
    for (VersionSlot slot : List.copyOf(entry.slots().values())) {
      ServedVersion served = slot.remove("unloaded");
      if (served != null) {
        closed.add(retirement.retire(entry, slot, served).toCompletableFuture());
      }
    }
    entries.publish(entry);
    return CompletableFuture.allOf(closed.toArray(CompletableFuture<?>[]::new));
  }

  /** Ends an override, unless the model has been loaded again. */
  private void endOverride(ModelEntry entry) {
    if (entry.wanted() || !entry.isOverridden()) {
      return;
    }
    delete(entry.override(null, null));
    boolean present = repository.holds(entry.name());
    entry.present(present);
    offer(entry, withoutOverlay(entry.source(), present));
    entries.publish(entry);
  }

  private Outcome<List<VersionStatus>> loadFromRepository(LoadRequest request) {
    if (!repository.holds(request.name())) {
      return Outcome.failed(unknown(request.name()));
    }
    ModelSource source = repository.scanModel(request.name());
    return source.fault() != null
        ? refused(request.name(), source.fault())
        : load(source, request.configJson(), null);
  }

  private Outcome<List<VersionStatus>> loadFrom(Overlay overlay, LoadRequest request) {
    return load(overlay.source(), request.configJson(), overlay);
  }

  private Outcome<List<VersionStatus>> load(
      ModelSource source, @Nullable String configJson, @Nullable Overlay overlay) {
    ModelEntry entry = entry(source, overlay);
    ModelSource sourceBefore = entry.source();
    String configBefore = entry.configJson();
    List<ServedVersion> servingBefore = entry.serving();
    Overlay overlayBefore = entry.override(configJson, overlay);
    entry.want(true);
    offer(entry, source);
    List<Problem> failures = replacement.run(entry, true);
    if (servingBefore.containsAll(entry.serving())) {
      entry.override(configBefore, overlayBefore);
      offer(entry, sourceBefore);
      entry.reconciled();
      delete(overlay);
    } else {
      delete(overlayBefore);
    }
    Outcome<List<VersionStatus>> outcome =
        failures.isEmpty() ? loaded(entry) : failed(source.name(), failures);
    entries.publish(entry);
    return outcome;
  }

  /** A new entry starts from what the repository has, to which a failed load goes back. */
  private ModelEntry entry(ModelSource source, @Nullable Overlay overlay) {
    ModelEntry known = entries.get(source.name());
    if (known != null) {
      return known;
    }
    boolean present = repository.holds(source.name());
    ModelEntry entry =
        entries.add(overlay == null ? source : withoutOverlay(source, present), true);
    entry.present(present);
    return entry;
  }

  private ModelSource withoutOverlay(ModelSource source, boolean present) {
    return present ? repository.scanModel(source.name()) : source.withoutVersions();
  }

  private static void offer(ModelEntry entry, ModelSource source) {
    entry.see(source);
    Set<Long> numbers = new TreeSet<>(entry.slots().keySet());
    numbers.addAll(source.versions().keySet());
    for (long number : numbers) {
      entry.slot(number).offer(source.versions().get(number));
    }
  }

  private static Outcome<List<VersionStatus>> loaded(ModelEntry entry) {
    return entry.isServing()
        ? Outcome.ok(entry.view().statuses())
        : refused(entry.name(), "no version to load");
  }

  private static Outcome<List<VersionStatus>> refused(String name, String reason) {
    return failed(name, List.of(Problem.invalid(reason)));
  }

  /** By the gravest reason: the server's own faults, then its stopping, then what was asked for. */
  private static Outcome<List<VersionStatus>> failed(String name, List<Problem> reasons) {
    ErrorCode code =
        reasons.stream()
            .map(Problem::code)
            .max(Comparator.comparingInt(GRAVITY::indexOf))
            .orElseThrow();
    String messages = reasons.stream().map(Problem::message).collect(Collectors.joining("; "));
    return Outcome.failed(Problem.of(code, "model \"" + name + "\": not loaded: " + messages));
  }

  private static Problem unknown(String name) {
    return Problem.of(ErrorCode.NOT_FOUND, "model: \"" + name + "\" is not in the repository");
  }

  private static void delete(@Nullable Overlay overlay) {
    if (overlay != null) {
      overlay.delete();
    }
  }
}
