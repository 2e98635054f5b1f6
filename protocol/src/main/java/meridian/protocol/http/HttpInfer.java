package meridian.protocol.http;

import meridian.core.infer.InferRequest;

/** A request, and the form in which its answer is wanted. */
public record HttpInfer(InferRequest request, ResponseFormat format) {}
