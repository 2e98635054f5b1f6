/** When regions fail: who is left alone, what is tried again, and what is asked twice. */
@NullMarked
package meridian.fleet.failure;

import org.jspecify.annotations.NullMarked;
