/** A region's node: serves the models of a repository. */
@NullMarked
package meridian.node;

import org.jspecify.annotations.NullMarked;
