package meridian.node.lifecycle;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import meridian.node.repository.Listing;
import meridian.node.repository.ModelSource;
import meridian.node.repository.Repository;
import meridian.node.repository.Settling;
import meridian.node.repository.VersionSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes in the entries what the repository offers. Files count once they have come to rest; so does
 * their absence. A repository that cannot be read, or that lists nothing although models of it are
 * served, is taken for a fault of the storage and changes nothing.
 */
final class RepositoryWatch {

  private static final Logger LOG = LoggerFactory.getLogger(RepositoryWatch.class);

  private final Repository repository;
  private final Settling<VersionKey, VersionSource> settling;
  private final Entries entries;
  private final ModelViews views;
  private final boolean loadAll;
  private Map<String, String> refused = Map.of();
  private boolean seen;
  private boolean alarmed;

  RepositoryWatch(
      Repository repository, long settleNanos, Entries entries, ModelViews views, boolean loadAll) {
    this.repository = repository;
    this.settling = new Settling<>(settleNanos);
    this.entries = entries;
    this.views = views;
    this.loadAll = loadAll;
  }

  /** True once the repository could be read. */
  boolean hasSeen() {
    return seen;
  }

  /**
   * Looks once. What is there when the repository can be read for the first time counts as at rest,
   * and has to serve for the node to be ready.
   */
  void look(long nowNanos) {
    switch (repository.scan()) {
      case Listing.Unreadable(String reason) -> alarm(reason);
      case Listing.Found(NavigableMap<String, ModelSource> models, _)
          when models.isEmpty() && servesFromRepository() ->
          alarm(repository.root() + ": lists no model at all");
      case Listing.Found(NavigableMap<String, ModelSource> models, Map<String, String> names) -> {
        calm();
        refuse(names);
        note(models, nowNanos, !seen);
        seen = true;
      }
    }
  }

  private void note(NavigableMap<String, ModelSource> models, long nowNanos, boolean first) {
    for (ModelSource source : models.values()) {
      if (entries.get(source.name()) == null) {
        add(source, first);
      }
    }
    for (ModelEntry entry : entries.all()) {
      if (!entry.isOverridden() && (loadAll || !entry.wanted())) {
        note(entry, models.get(entry.name()), nowNanos, first);
        entries.publish(entry);
      }
    }
  }

  private void add(ModelSource source, boolean first) {
    ModelEntry entry = new ModelEntry(source, loadAll);
    if (first && loadAll) {
      entry.requireToServe();
    }
    entries.add(entry);
    source.skipped().forEach(what -> warnSkipped(source, what));
  }

  private void note(ModelEntry entry, @Nullable ModelSource source, long nowNanos, boolean first) {
    if (source != null && source.fault() != null) {
      entry.fault(source.fault());
      return;
    }
    if (source != null) {
      warnOfNew(entry.source(), source);
      entry.see(source);
    }
    entry.present(source != null);
    for (long number : numbers(entry, source)) {
      VersionSource version = source == null ? null : source.versions().get(number);
      note(entry, number, version, nowNanos, first);
    }
    entry.queue();
  }

  private void note(
      ModelEntry entry,
      long number,
      @Nullable VersionSource version,
      long nowNanos,
      boolean first) {
    VersionKey key = new VersionKey(entry.name(), number);
    if (!settling.observe(key, version, nowNanos) && !first) {
      entry.slot(number).change();
      return;
    }
    entry.slot(number).offer(version);
    if (version == null) {
      settling.forget(key);
    }
  }

  private static Set<Long> numbers(ModelEntry entry, @Nullable ModelSource source) {
    Set<Long> numbers = new TreeSet<>(entry.slots().keySet());
    if (source != null) {
      numbers.addAll(source.versions().keySet());
    }
    return numbers;
  }

  private boolean servesFromRepository() {
    return entries.all().stream().anyMatch(entry -> entry.isServing() && !entry.isOverridden());
  }

  private void alarm(String reason) {
    if (!alarmed) {
      alarmed = true;
      LOG.warn("repository: {} (expected: models); what serves goes on serving", reason);
    }
  }

  private void calm() {
    if (alarmed) {
      alarmed = false;
      LOG.info("repository: {} is back", repository.root());
    }
  }

  private void refuse(Map<String, String> names) {
    names.forEach(
        (name, reason) -> {
          if (!refused.containsKey(name)) {
            LOG.warn("repository: not served: {}", reason);
          }
        });
    refused = names;
    views.refuse(names);
  }

  private static void warnOfNew(ModelSource before, ModelSource now) {
    now.skipped().stream()
        .filter(what -> !before.skipped().contains(what))
        .forEach(what -> warnSkipped(now, what));
  }

  private static void warnSkipped(ModelSource source, String what) {
    LOG.warn("model {}: skipped: {}", source.name(), what);
  }

  private record VersionKey(String model, long number) {}
}
