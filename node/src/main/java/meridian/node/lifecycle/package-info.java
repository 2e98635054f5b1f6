/** Which versions serve: loading, replacing, unloading, watching the repository. */
@NullMarked
package meridian.node.lifecycle;

import org.jspecify.annotations.NullMarked;
