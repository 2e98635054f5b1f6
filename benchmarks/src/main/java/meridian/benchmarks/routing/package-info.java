/** Which region answers: the rules beside each other in a simulated world. */
@NullMarked
package meridian.benchmarks.routing;

import org.jspecify.annotations.NullMarked;
