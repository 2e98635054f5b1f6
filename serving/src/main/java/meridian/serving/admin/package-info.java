/** What the administration port adds: metrics, descriptions of the API, log levels. */
@NullMarked
package meridian.serving.admin;

import org.jspecify.annotations.NullMarked;
