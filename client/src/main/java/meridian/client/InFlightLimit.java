package meridian.client;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.limit.ConcurrencyLimit;
import com.linecorp.armeria.client.limit.ConcurrencyLimitTimeoutException;
import com.linecorp.armeria.client.limit.TooManyPendingAcquisitionsException;
import com.linecorp.armeria.common.util.SafeCloseable;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lets a number of requests on the wire, and has the others wait in order of arrival, each until
 * its deadline. Armeria's own limit starts the deadline when a request goes on the wire, and passes
 * over those that gave up by recursion, which ends in a stack overflow when they are thousands.
 */
final class InFlightLimit implements ConcurrencyLimit {

  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final int mostWaiting;
  private final Queue<CompletableFuture<SafeCloseable>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final LongAdder waited = new LongAdder();

  InFlightLimit(Bounds bounds) {
    this.free = new AtomicInteger(bounds.inFlight());
    this.mostWaiting = bounds.waiting();
  }

  @Override
  public CompletableFuture<SafeCloseable> acquire(ClientRequestContext context) {
    if (waiting.get() == 0 && take()) {
      return CompletableFuture.completedFuture(new Permit());
    }
    if (waiting.incrementAndGet() > mostWaiting) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(TooManyPendingAcquisitionsException.get());
    }
    return await(context);
  }

  private CompletableFuture<SafeCloseable> await(ClientRequestContext context) {
    waited.increment();
    CompletableFuture<SafeCloseable> permit = new CompletableFuture<>();
    var _ = permit.whenComplete((_, _) -> waiting.decrementAndGet());
    boundWait(permit, context);
    queue.add(permit);
    handOut();
    return permit;
  }

  private void boundWait(CompletableFuture<SafeCloseable> permit, ClientRequestContext context) {
    long left = context.responseTimeoutMillis();
    boolean hasDeadline = left > 0 && left <= LONGEST_WAIT_MILLIS;
    Future<?> timer =
        context
            .eventLoop()
            .withoutContext()
            .schedule(
                () -> {
                  permit.completeExceptionally(
                      hasDeadline
                          ? ResponseTimeoutException.get()
                          : ConcurrencyLimitTimeoutException.get());
                  handOut();
                },
                hasDeadline ? left : LONGEST_WAIT_MILLIS,
                TimeUnit.MILLISECONDS);
    var _ = permit.whenComplete((_, _) -> timer.cancel(false));
  }

  /**
   * Gives what is free to those who wait. Who gets a permit may give it back, or ask for another,
   * on this very call: so one call at a time goes round, and the others have it go round once more.
   */
  private void handOut() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      dropThoseGone();
      while (!queue.isEmpty() && take()) {
        CompletableFuture<SafeCloseable> next = queue.poll();
        if (next == null || !next.complete(new Permit())) {
          free.incrementAndGet();
        }
      }
      seen = calls.addAndGet(-seen);
    } while (seen != 0);
  }

  private void dropThoseGone() {
    CompletableFuture<SafeCloseable> first = queue.peek();
    while (first != null && first.isDone()) {
      queue.poll();
      first = queue.peek();
    }
  }

  private boolean take() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }

  /** How many requests had to wait so far. */
  long waited() {
    return waited.sum();
  }

  /** A place on the wire, given back once. */
  private final class Permit implements SafeCloseable {

    private final AtomicBoolean open = new AtomicBoolean(true);

    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        free.incrementAndGet();
        handOut();
      }
    }
  }
}
