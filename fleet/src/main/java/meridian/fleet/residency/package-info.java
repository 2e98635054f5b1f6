/** Which regions may have which data. One pure function, for everything that moves requests. */
@NullMarked
package meridian.fleet.residency;

import org.jspecify.annotations.NullMarked;
