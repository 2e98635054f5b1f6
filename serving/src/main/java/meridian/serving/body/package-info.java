/** Compressed bodies, both ways. */
@NullMarked
package meridian.serving.body;

import org.jspecify.annotations.NullMarked;
