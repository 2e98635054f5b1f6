/** Time as an argument: the monotonic clock and deadlines on it. */
@NullMarked
package meridian.core.time;

import org.jspecify.annotations.NullMarked;
