/** A version that serves: leased by requests, closed once. */
@NullMarked
package meridian.node.version;

import org.jspecify.annotations.NullMarked;
