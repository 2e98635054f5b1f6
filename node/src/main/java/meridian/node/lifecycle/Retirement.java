package meridian.node.lifecycle;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import meridian.node.version.ServedVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees versions out: lets them finish, has them closed, and tells readers when they are gone. Used
 * in turns of the model only.
 */
final class Retirement {

  private static final Logger LOG = LoggerFactory.getLogger(Retirement.class);

  private final Entries entries;
  private final Turns turns;
  private final Executor closer;
  private final Map<ServedVersion, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();

  /**
   * @param closer runs the closing, which takes a while
   */
  Retirement(Entries entries, Turns turns, Executor closer) {
    this.entries = entries;
    this.turns = turns;
    this.closer = closer;
  }

  /** The stage completes when the version is closed and readers know. */
  CompletionStage<Void> retire(ModelEntry entry, VersionSlot slot, ServedVersion version) {
    slot.beginDrain();
    entries.publish(entry);
    CompletableFuture<Void> done =
        version
            .retire(closer)
            .handle(
                (_, failure) ->
                    turns.take(entry.name(), () -> closed(entry, slot, version, failure)))
            .thenCompose(stage -> stage)
            .toCompletableFuture();
    pending.put(version, done);
    return done;
  }

  /** Completes when all that were sent out so far are closed. */
  CompletableFuture<Void> all() {
    return CompletableFuture.allOf(pending.values().toArray(CompletableFuture<?>[]::new));
  }

  private @Nullable Void closed(
      ModelEntry entry, VersionSlot slot, ServedVersion version, @Nullable Throwable failure) {
    pending.remove(version);
    if (failure != null) {
      LOG.error("model {}, version {}: not closed", entry.name(), slot.number(), failure);
    }
    slot.endDrain();
    entries.publish(entry);
    return null;
  }
}
