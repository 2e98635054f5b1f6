/** The Open Inference Protocol over HTTP. */
@NullMarked
package meridian.serving.rest;

import org.jspecify.annotations.NullMarked;
