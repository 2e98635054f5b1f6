/** What every form of the Open Inference Protocol shares: headers, limits, request options. */
@NullMarked
package meridian.protocol;

import org.jspecify.annotations.NullMarked;
