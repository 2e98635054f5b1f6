/** The ONNX Runtime back end. */
@NullMarked
package meridian.onnx;

import org.jspecify.annotations.NullMarked;
