/** Which regions there are, and how far away. */
@NullMarked
package meridian.fleet.topology;

import org.jspecify.annotations.NullMarked;
