/** Pre- and post-processing: from what a user has, to the tensors of a graph, and back. */
@NullMarked
package meridian.pipeline;

import org.jspecify.annotations.NullMarked;
