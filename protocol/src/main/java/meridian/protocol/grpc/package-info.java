/** Inference over gRPC: messages to core and back, on the server's and the client's side. */
@NullMarked
package meridian.protocol.grpc;

import org.jspecify.annotations.NullMarked;
