package meridian.cli.bench;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameters;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of a test.
 *
 * @param timeout from a request's making to its deadline; null for none
 */
public record Requests(
    String model,
    Samples samples,
    @Nullable Duration timeout,
    Priorities priorities,
    RandomGenerator random,
    NanoClock clock)
    implements Supplier<InferRequest> {

  @Override
  public InferRequest get() {
    return new InferRequest(
        model,
        null,
        "",
        Parameters.NONE,
        samples.next(),
        List.of(),
        timeout == null ? Deadline.NONE : Deadline.after(clock.nanos(), timeout.toNanos()),
        priorities.next(random),
        new Cancellation(),
        InferRequest.NO_TENANT);
  }
}
