/** What a model is configured to be, out of its files and its graph. */
@NullMarked
package meridian.node.config;

import org.jspecify.annotations.NullMarked;
