/** The scheduler and the rules of other servers, compared in virtual time. */
@NullMarked
package meridian.benchmarks.scheduling;

import org.jspecify.annotations.NullMarked;
