package meridian.node.lifecycle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.model.VersionPolicy;
import meridian.node.config.ModelSettings;
import meridian.node.config.SettingsReader;
import meridian.node.repository.Repository;
import meridian.node.repository.VersionSource;
import meridian.node.version.ServedVersion;
import meridian.node.warmup.Progress;
import meridian.serving.telemetry.Metrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what serves of a model in line with what is offered: new versions are loaded beside the
 * old ones, which go only when every version that the policy selects serves.
 */
final class Replacement {

  private static final Logger LOG = LoggerFactory.getLogger(Replacement.class);

  private final SettingsReader reader;
  private final LoadPool loader;
  private final Repository repository;
  private final Entries entries;
  private final Retirement retirement;
  private final Metrics metrics;
  private final BooleanSupplier stopping;

  Replacement(
      SettingsReader reader,
      LoadPool loader,
      Repository repository,
      Entries entries,
      Retirement retirement,
      Metrics metrics,
      BooleanSupplier stopping) {
    this.reader = reader;
    this.loader = loader;
    this.repository = repository;
    this.entries = entries;
    this.retirement = retirement;
    this.metrics = metrics;
    this.stopping = stopping;
  }

  /**
   * Acts upon the model's offer. What is no longer offered goes, unless somebody waits for an
   * answer that turns out to be a failure.
   *
   * @param again whether to load what is loaded already or known to be broken, for somebody who
   *     waits
   * @return why versions that should serve were not loaded; empty when all went well
   */
  List<Problem> run(ModelEntry entry, boolean again) {
    entry.reconciled();
    List<Problem> failures;
    try {
      failures = run(entry, read(entry), again);
    } catch (ModelLoadException e) {
      String why = String.valueOf(e.getMessage());
      failures = List.of(Problem.invalid(why));
      failAll(entry, why);
    }
    if (!again || failures.isEmpty()) {
      retireGone(entry);
    }
    entries.publish(entry);
    return failures;
  }

  private ModelSettings read(ModelEntry entry) throws ModelLoadException {
    return reader.read(entry.name(), entry.source().folder(), entry.configJson());
  }

  private List<Problem> run(ModelEntry entry, ModelSettings settings, boolean again)
      throws ModelLoadException {
    Collection<Long> offered = entry.offered().keySet();
    List<Long> selected = settings.versions().select(List.copyOf(offered));
    if (selected.isEmpty() && !offered.isEmpty()) {
      throw new ModelLoadException(
          "versions: %s (expected: one of %s)".formatted(words(settings.versions()), offered));
    }
    entry.fault("");
    List<Problem> failures = new ArrayList<>();
    for (long number : selected) {
      VersionSlot slot = entry.slot(number);
      if (again || slot.isNew()) {
        Problem failure = load(entry, slot, settings);
        if (failure != null) {
          failures.add(Problem.of(failure.code(), "version " + number + ": " + failure.message()));
        }
      }
    }
    passOverOthers(entry, new HashSet<>(selected), words(settings.versions()));
    return failures;
  }

  /** What went wrong, or null. */
  private @Nullable Problem load(ModelEntry entry, VersionSlot slot, ModelSettings settings) {
    VersionSource version = Objects.requireNonNull(slot.offered());
    Progress progress = slot.beginLoad(stopping);
    entries.publish(entry);
    try {
      VersionLoader.Loaded loaded =
          loader.load(
              new LoadOrder(entry.source(), version, settings, entry.hasFilesOfItsOwn(), progress));
      if (changed(entry, version)) {
        slot.discard();
        retirement.retire(entry, slot, loaded.version());
        return Problem.invalid("its files changed while they were read");
      }
      install(entry, slot, loaded.version(), version);
      logLoaded(entry, slot, settings, loaded.nanos());
      return null;
    } catch (ModelLoadException e) {
      LOG.warn("model {}, version {}: not loaded: {}", entry.name(), slot.number(), e.getMessage());
      ErrorCode code = stopping.getAsBoolean() ? ErrorCode.UNAVAILABLE : ErrorCode.INVALID_ARGUMENT;
      return fail(slot, version, Problem.of(code, String.valueOf(e.getMessage())));
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.error("model {}, version {}: not loaded", entry.name(), slot.number(), e);
      return fail(slot, version, Problem.of(ErrorCode.INTERNAL, "internal error: " + e));
    }
  }

  private void install(
      ModelEntry entry, VersionSlot slot, ServedVersion loaded, VersionSource from) {
    ServedVersion before = slot.install(loaded, from);
    entry.requireToServe();
    entries.publish(entry);
    if (before != null) {
      retirement.retire(entry, slot, before);
    }
  }

  private static Problem fail(VersionSlot slot, VersionSource version, Problem why) {
    slot.fail(version, why.message());
    return why;
  }

  /** True when somebody wrote to the files during the load. */
  private boolean changed(ModelEntry entry, VersionSource version) {
    return !entry.hasFilesOfItsOwn()
        && !version.equals(repository.scanModel(entry.name()).versions().get(version.number()));
  }

  private static void failAll(ModelEntry entry, String why) {
    entry.fault(why);
    boolean known = true;
    for (VersionSlot slot : entry.slots().values()) {
      VersionSource offered = slot.offered();
      if (offered != null) {
        known &= !slot.isNew();
        slot.fail(offered, why);
      }
    }
    if (!known || entry.slots().isEmpty()) {
      LOG.warn("model {}: not loaded: {}", entry.name(), why);
    }
  }

  private void passOverOthers(ModelEntry entry, Set<Long> selected, String policy) {
    boolean allServe = selected.stream().allMatch(number -> entry.slot(number).serving() != null);
    for (VersionSlot slot : List.copyOf(entry.slots().values())) {
      if (selected.contains(slot.number()) || slot.isGone()) {
        continue;
      }
      String reason = "not selected by versions: " + policy;
      if (slot.serving() == null) {
        slot.passOver(reason);
      } else if (allServe) {
        retire(entry, slot, reason);
      } else {
        slot.passOver("serves until what replaces it is ready");
      }
    }
  }

  private void retireGone(ModelEntry entry) {
    for (VersionSlot slot : List.copyOf(entry.slots().values())) {
      if (slot.isGone()) {
        retire(entry, slot, "");
      }
    }
  }

  private void retire(ModelEntry entry, VersionSlot slot, String reason) {
    ServedVersion served = slot.remove(reason);
    if (served != null) {
      LOG.info("model {}, version {}: unloading", entry.name(), slot.number());
      entries.publish(entry);
      retirement.retire(entry, slot, served);
    }
  }

  private void logLoaded(ModelEntry entry, VersionSlot slot, ModelSettings settings, long nanos) {
    metrics.modelLoaded(entry.name(), Long.toString(slot.number()), nanos);
    String unused =
        settings.unused().isEmpty()
            ? ""
            : "; without meaning here: " + String.join(", ", settings.unused());
    LOG.info(
        "model {}, version {}: ready after {} ms{}",
        entry.name(),
        slot.number(),
        nanos / 1_000_000,
        unused);
  }

  private static String words(VersionPolicy policy) {
    return switch (policy) {
      case VersionPolicy.Latest(int count) -> "latest " + count;
      case VersionPolicy.All() -> "all";
      case VersionPolicy.Specific(List<Long> versions) -> versions.toString();
    };
  }
}
