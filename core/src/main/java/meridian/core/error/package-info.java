/** Expected failures as values: one code that maps to HTTP, gRPC and a metric label. */
@NullMarked
package meridian.core.error;

import org.jspecify.annotations.NullMarked;
