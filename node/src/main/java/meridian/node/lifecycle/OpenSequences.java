package meridian.node.lifecycle;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import meridian.node.config.ModelSettings.SequenceSettings;
import meridian.node.sequence.Sequences;
import meridian.serving.telemetry.Metrics;
import meridian.serving.telemetry.Watched;

/** The sequences of a version, shown in the metrics and looked at for idle ones while it serves. */
final class OpenSequences {

  private OpenSequences() {}

  static Sequences of(
      String model, SequenceSettings settings, Surroundings around, Holdings holdings) {
    Metrics metrics = around.metrics();
    Sequences sequences =
        new Sequences(settings, around.clock(), () -> metrics.sequenceForgotten(model));
    holdings.add(metrics.watch(Watched.SEQUENCES, model, sequences::open)::close);
    holdings.add(metrics.watch(Watched.SEQUENCE_STATE_BYTES, model, sequences::stateBytes)::close);
    long everyNanos = Math.max(1, settings.idleNanos() / 2);
    ScheduledFuture<?> eviction =
        around
            .poller()
            .scheduleWithFixedDelay(
                sequences::evictIdle, everyNanos, everyNanos, TimeUnit.NANOSECONDS);
    holdings.add(() -> eviction.cancel(false));
    return sequences;
  }
}
