/**
 * The request path's one interface, {@link meridian.core.infer.InferenceService}, and what travels
 * over it.
 */
@NullMarked
package meridian.core.infer;

import org.jspecify.annotations.NullMarked;
