package meridian.serving.exchange;

import meridian.core.infer.Cancellation;
import meridian.core.time.Deadline;

/**
 * On what terms a request is served.
 *
 * @param deadline from its headers; the body may set an earlier one
 * @param startNanos when it arrived, from which a timeout in the body counts
 * @param tenant on whose behalf; empty for nobody's
 */
public record Terms(Deadline deadline, Cancellation cancellation, long startNanos, String tenant) {}
