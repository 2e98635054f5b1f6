package meridian.node.lifecycle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import meridian.node.repository.ModelSource;
import meridian.node.repository.Overlay;
import meridian.node.repository.Settling;
import meridian.node.repository.VersionSource;
import meridian.node.version.ServedVersion;
import org.jspecify.annotations.Nullable;

/** What is known of one model. Used in turns of the model only. */
final class ModelEntry {

  private final String name;
  private final NavigableMap<Long, VersionSlot> slots = new TreeMap<>();
  private final Settling<Long, VersionSource> settling;
  private ModelSource source;
  private @Nullable String configJson;
  private @Nullable Overlay overlay;
  private boolean wanted;
  private boolean mustServe;
  private boolean present = true;
  private Map<Long, VersionSource> reconciled = Map.of();
  private String fault = "";

  ModelEntry(ModelSource source, boolean wanted, long settleNanos) {
    this.name = source.name();
    this.settling = new Settling<>(settleNanos);
    this.source = source;
    this.wanted = wanted;
  }

  String name() {
    return name;
  }

  ModelSource source() {
    return source;
  }

  @Nullable String configJson() {
    return configJson;
  }

  /** What the repository was seen to have, by version. */
  Settling<Long, VersionSource> settling() {
    return settling;
  }

  NavigableMap<Long, VersionSlot> slots() {
    return slots;
  }

  VersionSlot slot(long number) {
    return slots.computeIfAbsent(number, VersionSlot::new);
  }

  boolean wanted() {
    return wanted;
  }

  void want(boolean want) {
    wanted = want;
    mustServe = mustServe && want;
  }

  /** The server is not ready until this model is, unless it is unloaded. */
  void requireToServe() {
    mustServe = true;
  }

  /** True when a load request brought what is served, so that the repository does not matter. */
  boolean isOverridden() {
    return configJson != null || overlay != null;
  }

  /** True when its files lie outside the repository. */
  boolean hasFilesOfItsOwn() {
    return overlay != null;
  }

  void see(ModelSource seen) {
    source = seen;
    fault = "";
  }

  void present(boolean inRepository) {
    present = inRepository;
  }

  /** True when nothing is left to tell of it. */
  boolean isForgotten() {
    return !present && slots.isEmpty() && !isOverridden();
  }

  /** Has readers see that what is new will be looked at. */
  void queue() {
    if (isDue()) {
      slots.values().forEach(VersionSlot::queue);
    }
  }

  /** Something is wrong with the folder or the configuration; empty for nothing. */
  void fault(String why) {
    fault = why;
  }

  /** Serves from now on what a load request brought; returns the files of an earlier one. */
  @Nullable Overlay override(@Nullable String config, @Nullable Overlay files) {
    Overlay before = overlay;
    configJson = config;
    overlay = files;
    return before;
  }

  /** What may be loaded, by number. */
  Map<Long, VersionSource> offered() {
    Map<Long, VersionSource> offered = new TreeMap<>();
    for (VersionSlot slot : slots.values()) {
      VersionSource version = slot.offered();
      if (version != null) {
        offered.put(slot.number(), version);
      }
    }
    return offered;
  }

  /** True when what is offered is not what was last acted upon. */
  boolean isDue() {
    return wanted && !offered().equals(reconciled);
  }

  void reconciled() {
    reconciled = offered();
  }

  void reconsider() {
    reconciled = Map.of();
  }

  boolean isServing() {
    return !serving().isEmpty();
  }

  List<ServedVersion> serving() {
    return slots.values().stream().map(VersionSlot::serving).filter(Objects::nonNull).toList();
  }

  void dropEmptySlots() {
    slots.values().removeIf(VersionSlot::isEmpty);
  }

  ModelView view() {
    Map<String, ServedVersion> ready = new HashMap<>();
    List<VersionView> views = new ArrayList<>();
    ServedVersion newest = null;
    for (VersionSlot slot : slots.values()) {
      ServedVersion serving = slot.serving();
      if (serving != null) {
        ready.put(serving.number(), serving);
        newest = serving;
      }
      views.add(slot.view());
    }
    return new ModelView(name, newest, ready, views, note(), !fault.isEmpty(), mustServe);
  }

  private String note() {
    List<String> notes = new ArrayList<>();
    if (!fault.isEmpty()) {
      notes.add(fault);
    }
    if (slots.isEmpty() && fault.isEmpty()) {
      notes.add("no version");
    }
    if (!source.skipped().isEmpty()) {
      notes.add("skipped: " + String.join(", ", source.skipped()));
    }
    return String.join("; ", notes);
  }
}
