/** One inference on its way through the server, whatever protocol it came by. */
@NullMarked
package meridian.serving.exchange;

import org.jspecify.annotations.NullMarked;
