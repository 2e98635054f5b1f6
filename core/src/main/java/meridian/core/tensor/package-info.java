/** Tensors: element types, shapes, and values held as raw little-endian memory. */
@NullMarked
package meridian.core.tensor;

import org.jspecify.annotations.NullMarked;
