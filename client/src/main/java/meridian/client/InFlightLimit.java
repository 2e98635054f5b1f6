package meridian.client;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.limit.ConcurrencyLimit;
import com.linecorp.armeria.client.limit.ConcurrencyLimitTimeoutException;
import com.linecorp.armeria.common.util.SafeCloseable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lets a number of requests on the wire, and has the others wait in order of arrival. Armeria
 * starts a request's deadline when it goes on the wire; here it holds for the wait as well.
 */
final class InFlightLimit implements ConcurrencyLimit {

  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final ConcurrencyLimit limit;
  private final LongAdder waited = new LongAdder();

  InFlightLimit(Bounds bounds) {
    this.limit =
        ConcurrencyLimit.builder(bounds.inFlight())
            .maxPendingAcquisitions(bounds.waiting())
            .timeoutMillis(0)
            .build();
  }

  @Override
  public CompletableFuture<SafeCloseable> acquire(ClientRequestContext context) {
    CompletableFuture<SafeCloseable> permit = limit.acquire(context);
    if (!permit.isDone()) {
      waited.increment();
      boundWait(permit, context);
    }
    return permit;
  }

  private static void boundWait(
      CompletableFuture<SafeCloseable> permit, ClientRequestContext context) {
    long left = context.responseTimeoutMillis();
    boolean hasDeadline = left > 0 && left <= LONGEST_WAIT_MILLIS;
    Future<?> timer =
        context
            .eventLoop()
            .withoutContext()
            .schedule(
                () ->
                    permit.completeExceptionally(
                        hasDeadline
                            ? ResponseTimeoutException.get()
                            : ConcurrencyLimitTimeoutException.get()),
                hasDeadline ? left : LONGEST_WAIT_MILLIS,
                TimeUnit.MILLISECONDS);
    var _ = permit.whenComplete((_, _) -> timer.cancel(false));
  }

  /** How many requests had to wait so far. */
  long waited() {
    return waited.sum();
  }
}
