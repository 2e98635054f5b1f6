/** Refuses HTTP/1.1 requests of which two readers could see different ends. */
@NullMarked
package meridian.serving.framing;

import org.jspecify.annotations.NullMarked;
