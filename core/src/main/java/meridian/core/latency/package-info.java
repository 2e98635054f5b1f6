/** The latency model: end-to-end time as the sum of five stages. */
@NullMarked
package meridian.core.latency;

import org.jspecify.annotations.NullMarked;
