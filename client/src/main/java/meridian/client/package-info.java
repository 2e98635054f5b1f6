/** A client for every server that speaks the Open Inference Protocol v2. */
@NullMarked
package meridian.client;

import org.jspecify.annotations.NullMarked;
