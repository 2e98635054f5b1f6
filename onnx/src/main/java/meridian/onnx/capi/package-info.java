/**
 * ONNX Runtime's C API, called through the foreign function interface. The Java API of ONNX Runtime
 * loads the library and nothing else: it cannot make UINT16, UINT32 and UINT64 tensors, passes
 * strings as Java's modified UTF-8 where graphs hold any bytes, and logs to the standard error.
 */
@NullMarked
package meridian.onnx.capi;

import org.jspecify.annotations.NullMarked;
