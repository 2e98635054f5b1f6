package meridian.node.lifecycle;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import meridian.batching.Lanes;
import meridian.core.backend.Backend;
import meridian.core.time.NanoClock;
import meridian.serving.telemetry.Metrics;

/**
 * What the models of a node share.
 *
 * @param worker one thread: models are loaded one after the other
 * @param closer closes what is no longer used
 */
public record Surroundings(
    Backend backend,
    Lanes lanes,
    Metrics metrics,
    NanoClock clock,
    ScheduledExecutorService worker,
    Executor closer) {}
