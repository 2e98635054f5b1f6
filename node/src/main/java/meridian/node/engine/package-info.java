/** Requests: from tensors to a leased version's queue and back. */
@NullMarked
package meridian.node.engine;

import org.jspecify.annotations.NullMarked;
