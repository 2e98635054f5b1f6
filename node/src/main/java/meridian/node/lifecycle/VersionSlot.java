package meridian.node.lifecycle;

import java.util.function.BooleanSupplier;
import meridian.node.repository.VersionSource;
import meridian.node.version.ServedVersion;
import meridian.node.warmup.Progress;
import org.jspecify.annotations.Nullable;

/** What is known of one version number of a model. Used in turns of the model only. */
final class VersionSlot {

  private final long number;
  private @Nullable VersionSource offered;
  private @Nullable VersionSource loadedFrom;
  private @Nullable VersionSource failedFrom;
  private @Nullable ServedVersion serving;
  private boolean changing;
  private boolean queued;
  private boolean loading;
  private int draining;
  private String reason = "";
  private Progress progress = new Progress(() -> false);

  VersionSlot(long number) {
    this.number = number;
  }

  long number() {
    return number;
  }

  /** What may be loaded: files at rest. Null while they change and when there are none. */
  @Nullable VersionSource offered() {
    return offered;
  }

  @Nullable ServedVersion serving() {
    return serving;
  }

  /** The repository has this, and it is at rest; null for nothing. */
  void offer(@Nullable VersionSource source) {
    offered = source;
    changing = false;
    if (source != null && source.equals(loadedFrom)) {
      failedFrom = null;
      reason = "";
    }
  }

  /** The repository has something that somebody may still be writing. */
  void change() {
    changing = true;
    offered = serving == null ? null : loadedFrom;
  }

  /** True when there is something to load that is neither serving nor known to be broken. */
  boolean isNew() {
    return offered != null && !offered.equals(loadedFrom) && !offered.equals(failedFrom);
  }

  /** True when the repository has it no more. */
  boolean isGone() {
    return offered == null && !changing;
  }

  /** True when nothing is left to tell of it. */
  boolean isEmpty() {
    return isGone() && serving == null && draining == 0;
  }

  /** It will be looked at, and loaded if it is new and selected. */
  void queue() {
    queued = isNew();
  }

  /** It stays as it is, for this reason; empty for none. */
  void passOver(String why) {
    queued = false;
    reason = why;
  }

  /**
   * What is to be told how far the load has come.
   *
   * @param unwanted true once nobody has a use for the version any more
   */
  Progress beginLoad(BooleanSupplier unwanted) {
    queued = false;
    loading = true;
    reason = "";
    progress = new Progress(unwanted);
    return progress;
  }

  /** Puts a loaded version in the place of the one that served, which is returned. */
  @Nullable ServedVersion install(ServedVersion loaded, VersionSource from) {
    ServedVersion before = serving;
    serving = loaded;
    loadedFrom = from;
    failedFrom = null;
    loading = false;
    reason = "";
    return before;
  }

  /** A load came to nothing; what served goes on. */
  void fail(@Nullable VersionSource from, String why) {
    loading = false;
    queued = false;
    failedFrom = from;
    reason = serving == null ? why : "not replaced by what the repository has now: " + why;
  }

  /** The files were written to during the load, so that it proves nothing. */
  void discard() {
    loading = false;
    change();
    reason = "its files changed while they were read";
  }

  /** Takes the version out of service. */
  @Nullable ServedVersion remove(String why) {
    ServedVersion before = serving;
    serving = null;
    loadedFrom = null;
    failedFrom = null;
    queued = false;
    reason = why;
    return before;
  }

  void beginDrain() {
    draining++;
  }

  void endDrain() {
    draining--;
  }

  VersionView view() {
    return new VersionView(number, phase(), reason(), progress);
  }

  private Phase phase() {
    if (serving != null) {
      return Phase.READY;
    }
    if (loading || queued) {
      return Phase.LOADING;
    }
    if (draining > 0) {
      return Phase.DRAINING;
    }
    return failedFrom != null ? Phase.FAILED : Phase.IDLE;
  }

  private String reason() {
    return reason.isEmpty() && changing && serving == null
        ? "waiting for its files to stop changing"
        : reason;
  }
}
