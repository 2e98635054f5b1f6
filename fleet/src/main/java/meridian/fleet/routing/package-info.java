/** To which region a request goes. */
@NullMarked
package meridian.fleet.routing;

import org.jspecify.annotations.NullMarked;
