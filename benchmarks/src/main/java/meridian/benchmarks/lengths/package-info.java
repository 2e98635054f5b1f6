/** Requests of unlike length. */
@NullMarked
package meridian.benchmarks.lengths;

import org.jspecify.annotations.NullMarked;
