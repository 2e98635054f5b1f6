package meridian.batching;

import java.util.List;

/**
 * What a lane is to run next.
 *
 * @param tickets of one bucket, in their order, at least one
 */
public record Batch(WorkQueue queue, List<Ticket> tickets) {}
