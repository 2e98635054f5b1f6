/** ONNX files, read for what must be known before ONNX Runtime opens one. */
@NullMarked
package meridian.onnx.file;

import org.jspecify.annotations.NullMarked;
