/** What the server tells about itself: metrics, and spans with the stages of each request. */
@NullMarked
package meridian.serving.telemetry;

import org.jspecify.annotations.NullMarked;
