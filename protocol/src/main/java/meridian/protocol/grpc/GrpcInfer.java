package meridian.protocol.grpc;

import meridian.core.infer.InferRequest;

/** A request, and the form of its answer: the one the request itself came in. */
public record GrpcInfer(InferRequest request, GrpcFormat format) {}
