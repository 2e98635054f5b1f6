package meridian.core.infer;

import meridian.core.latency.LatencyBreakdown;

/** How a request ended, and where its time went. */
public sealed interface InferResult permits InferResponse, InferFailure {

  LatencyBreakdown latency();

  InferResult withLatency(LatencyBreakdown latency);
}
