/** The server: one port for inference, one for administration. */
@NullMarked
package meridian.serving;

import org.jspecify.annotations.NullMarked;
