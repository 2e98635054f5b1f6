/** The service provider interface that an execution engine implements. */
@NullMarked
package meridian.core.backend;

import org.jspecify.annotations.NullMarked;
