package meridian.cli.bench;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferenceService;
import meridian.core.time.NanoClock;

/**
 * Sends requests at instants fixed beforehand, whether or not earlier ones have been answered, and
 * records each latency from its intended start.
 */
public final class OpenLoop implements Load {

  /** Below this a timer's wake-up is no better than sending at once. */
  private static final long TIMER_SLACK_NANOS = 20_000;

  private static final long DRAIN_NANOS = 30_000_000_000L;
  private static final long DRAIN_POLL_NANOS = 200_000;

  /** More than this many unanswered requests are the load generator's own end of memory. */
  private static final int MOST_IN_FLIGHT = 100_000;

  private final InferenceService service;
  private final Supplier<InferRequest> requests;
  private final LongSupplier gapNanos;
  private final NanoClock clock;
  private final AtomicLong inFlight = new AtomicLong();

  public OpenLoop(
      InferenceService service,
      Supplier<InferRequest> requests,
      LongSupplier gapNanos,
      NanoClock clock) {
    this.service = service;
    this.requests = requests;
    this.gapNanos = gapNanos;
    this.clock = clock;
  }

  /** Runs on the calling thread. */
  @Override
  public long run(long nanos, BooleanSupplier stop, LoadRecord record) throws InterruptedException {
    long end = clock.nanos() + nanos;
    long intended = clock.nanos() + gapNanos.getAsLong();
    long sent = 0;
    while (end - intended > 0 && !stop.getAsBoolean()) {
      awaitInstant(intended);
      send(intended, record);
      sent++;
      intended += gapNanos.getAsLong();
    }
    drain();
    return sent;
  }

  private void send(long intended, LoadRecord record) {
    if (inFlight.incrementAndGet() > MOST_IN_FLIGHT) {
      inFlight.decrementAndGet();
      record.ended(0, InferFailure.of(tooMany()), 0);
      return;
    }
    InferRequest request = requests.get();
    record.sent(clock.nanos() - intended);
    var _ =
        service
            .infer(request)
            .handle(LoadRecord::orFailure)
            .thenAccept(
                result -> {
                  record.ended(request.priority(), result, clock.nanos() - intended);
                  inFlight.decrementAndGet();
                });
  }

  private void awaitInstant(long instant) {
    for (long left = instant - clock.nanos();
        left > TIMER_SLACK_NANOS;
        left = instant - clock.nanos()) {
      LockSupport.parkNanos(left - TIMER_SLACK_NANOS / 2);
    }
  }

  /** Whatever is unanswered after that shows in the report: sent exceeds answered and failed. */
  private void drain() throws InterruptedException {
    long end = clock.nanos() + DRAIN_NANOS;
    while (inFlight.get() > 0 && end - clock.nanos() > 0) {
      LockSupport.parkNanos(DRAIN_POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private static Problem tooMany() {
    return Problem.of(
        ErrorCode.OVERLOADED, "in flight: " + MOST_IN_FLIGHT + " (expected: fewer unanswered)");
  }
}
