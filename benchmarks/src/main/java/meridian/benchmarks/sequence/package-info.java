/** How many streams a model with a state can follow. */
@NullMarked
package meridian.benchmarks.sequence;

import org.jspecify.annotations.NullMarked;
