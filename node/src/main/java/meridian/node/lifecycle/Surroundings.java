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
 * @param poller one thread: looks at the repository
 * @param turns runs what it is given without queueing it: work on one model each
 * @param loaders few threads, which load
 * @param closer closes what is no longer used
 */
public record Surroundings(
    Backend backend,
    Lanes lanes,
    Metrics metrics,
    NanoClock clock,
    ScheduledExecutorService poller,
    Executor turns,
    Executor loaders,
    Executor closer) {}
