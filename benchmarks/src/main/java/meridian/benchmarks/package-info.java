/** JMH benchmarks. */
@NullMarked
package meridian.benchmarks;

import org.jspecify.annotations.NullMarked;
