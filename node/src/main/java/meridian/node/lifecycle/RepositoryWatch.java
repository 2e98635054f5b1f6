package meridian.node.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import meridian.node.repository.Listing;
import meridian.node.repository.ModelSource;
import meridian.node.repository.Repository;
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
  private final Entries entries;
  private final ModelViews views;
  private final boolean loadAll;
  private Map<String, String> refused = Map.of();
  private volatile boolean seen;
  private boolean alarmed;

  RepositoryWatch(Repository repository, Entries entries, ModelViews views, boolean loadAll) {
    this.repository = repository;
    this.entries = entries;
    this.views = views;
    this.loadAll = loadAll;
  }

  /** True once the repository could be read. */
  boolean hasSeen() {
    return seen;
  }

  /**
   * Looks once, which is for one thread at a time. What is there when the repository can be read
   * for the first time counts as at rest, and has to serve for the node to be ready.
   *
   * @return what is to be noted of each model, in a turn of it; nothing when the look says nothing
   */
  List<Sighting> look(long nowNanos) {
    return switch (repository.scan()) {
      case Listing.Unreadable(String reason) -> alarm(reason);
      case Listing.Found(NavigableMap<String, ModelSource> models, _)
          when models.isEmpty() && entries.serveFromRepository() ->
          alarm(repository.root() + ": lists no model at all");
      case Listing.Found(NavigableMap<String, ModelSource> models, Map<String, String> names) -> {
        calm();
        refuse(names);
        boolean first = !seen;
        seen = true;
        yield sightings(models, nowNanos, first);
      }
    };
  }

  private List<Sighting> sightings(
      NavigableMap<String, ModelSource> models, long nowNanos, boolean first) {
    Set<String> names = new TreeSet<>(models.keySet());
    entries.all().forEach(entry -> names.add(entry.name()));
    return names.stream()
        .map(name -> new Sighting(name, models.get(name), nowNanos, first))
        .toList();
  }

  /** Notes what was seen of a model, in a turn of it. */
  void note(Sighting sighting) {
    ModelEntry entry = entry(sighting);
    if (entry != null && !entry.isOverridden() && counts(entry, sighting)) {
      note(entry, sighting);
      entries.publish(entry);
    }
  }

  /** Whether what the repository has of the model matters, before somebody asks for it. */
  private boolean counts(ModelEntry entry, Sighting sighting) {
    boolean nothingLeft = sighting.source() == null && !entry.isServing();
    return loadAll || !entry.wanted() || nothingLeft;
  }

  private @Nullable ModelEntry entry(Sighting sighting) {
    ModelEntry known = entries.get(sighting.model());
    ModelSource source = sighting.source();
    return known != null || source == null ? known : add(source, sighting.first());
  }

  private ModelEntry add(ModelSource source, boolean first) {
    ModelEntry entry = entries.add(source, loadAll);
    if (first && loadAll) {
      entry.requireToServe();
    }
    source.skipped().forEach(what -> warnSkipped(source, what));
    return entry;
  }

  private static void note(ModelEntry entry, Sighting sighting) {
    ModelSource source = sighting.source();
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
      note(entry, number, source == null ? null : source.versions().get(number), sighting);
    }
    entry.queue();
  }

  private static void note(
      ModelEntry entry, long number, @Nullable VersionSource version, Sighting sighting) {
    boolean atRest = entry.settling().observe(number, version, sighting.nowNanos());
    if (!atRest && !sighting.first()) {
      entry.slot(number).change();
      return;
    }
    entry.slot(number).offer(version);
    if (version == null) {
      entry.settling().forget(number);
    }
  }

  private static Set<Long> numbers(ModelEntry entry, @Nullable ModelSource source) {
    Set<Long> numbers = new TreeSet<>(entry.slots().keySet());
    if (source != null) {
      numbers.addAll(source.versions().keySet());
    }
    return numbers;
  }

  private List<Sighting> alarm(String reason) {
    if (!alarmed) {
      alarmed = true;
      LOG.warn("repository: {} (expected: models); what serves goes on serving", reason);
    }
    return List.of();
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
}
