package meridian.node.engine;

import java.util.List;
import meridian.core.error.Problem;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import org.jspecify.annotations.Nullable;

/**
 * How the executions of a request ended together.
 *
 * @param outputs per execution; empty when there is a problem
 * @param problem the first that came up, or null
 * @param latency model: while at least one of them ran; queue: the rest of the time
 */
record Joined(
    List<List<NamedTensor>> outputs, @Nullable Problem problem, LatencyBreakdown latency) {}
