/** What happens between the load of a version and its first request: warm up, and measure. */
@NullMarked
package meridian.node.warmup;

import org.jspecify.annotations.NullMarked;
