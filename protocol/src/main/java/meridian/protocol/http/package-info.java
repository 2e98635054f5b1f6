/**
 * Inference over REST: JSON and the binary tensor extension, on the server's and the client's side.
 */
@NullMarked
package meridian.protocol.http;

import org.jspecify.annotations.NullMarked;
