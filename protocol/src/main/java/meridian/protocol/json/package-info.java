/** Strict reading and writing of JSON, with the path of whatever is wrong. */
@NullMarked
package meridian.protocol.json;

import org.jspecify.annotations.NullMarked;
