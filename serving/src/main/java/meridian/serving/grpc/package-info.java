/** The Open Inference Protocol over gRPC, with the standard health service. */
@NullMarked
package meridian.serving.grpc;

import org.jspecify.annotations.NullMarked;
