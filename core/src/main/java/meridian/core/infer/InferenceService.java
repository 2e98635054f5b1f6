package meridian.core.infer;

import java.util.concurrent.CompletionStage;

/**
 * Answers requests. Engines, remote regions, caches, limiters and telemetry implement or decorate
 * it.
 *
 * <p>The call returns at once. The stage completes with an {@link InferFailure} for every expected
 * failure, and exceptionally only for a bug.
 */
@FunctionalInterface
public interface InferenceService {

  CompletionStage<InferResult> infer(InferRequest request);
}
