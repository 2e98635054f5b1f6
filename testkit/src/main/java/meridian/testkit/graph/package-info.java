/** ONNX graphs small enough to know every answer, and the folders that servers find them in. */
@NullMarked
package meridian.testkit.graph;

import org.jspecify.annotations.NullMarked;
