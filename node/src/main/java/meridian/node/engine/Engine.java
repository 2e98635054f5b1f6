package meridian.node.engine;

import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.time.NanoClock;
import meridian.node.sequence.Sequencing;
import meridian.node.version.Lease;
import meridian.node.version.VersionResolver;
import meridian.pipeline.Pipeline;

/**
 * Answers requests with the versions of this node: leases one, checks the request against it, has
 * its queue execute the graph, and puts the answer together. Works on the caller's thread up to the
 * queue and on the lane's after it.
 */
public final class Engine implements InferenceService {

  private final VersionResolver versions;
  private final Executor preparation;
  private final NanoClock clock;
  private final InstantSource wall;

  /**
   * @param preparation takes the preparation of inputs that are too large for the caller's thread
   */
  public Engine(
      VersionResolver versions, Executor preparation, NanoClock clock, InstantSource wall) {
    this.versions = versions;
    this.preparation = preparation;
    this.clock = clock;
    this.wall = wall;
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    long startNanos = clock.nanos();
    return switch (versions.acquire(request.model(), request.version())) {
      case Outcome.Failed<Lease>(Problem problem) -> done(InferFailure.of(problem));
      case Outcome.Ok<Lease>(Lease lease) ->
          begin(new Call(request, lease, startNanos, clock, wall));
    };
  }

  private CompletionStage<InferResult> begin(Call call) {
    try {
      Problem problem = RequestCheck.check(call.version(), call.request());
      if (problem != null) {
        return done(call.fail(problem));
      }
      Pipeline pipeline = call.version().pipeline();
      Sequencing sequencing = call.version().sequencing();
      if (sequencing != null) {
        return new SequenceCall(call, sequencing).start();
      }
      return pipeline == null
          ? new GraphCall(call).start()
          : new PipelineCall(call, pipeline, preparation).start();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(call.abandon(e));
    }
  }

  private static CompletionStage<InferResult> done(InferResult result) {
    return CompletableFuture.completedFuture(result);
  }
}
