/** Holds clients to HTTP where Armeria and its codecs are lenient, slow to act or too harsh. */
@NullMarked
package meridian.serving.framing;

import org.jspecify.annotations.NullMarked;
