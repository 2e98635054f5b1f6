/**
 * Batching: who runs next, and with whom. {@link meridian.batching.Scheduler} decides, without
 * threads or clock; {@link meridian.batching.Lanes} executes.
 */
@NullMarked
package meridian.batching;

import org.jspecify.annotations.NullMarked;
