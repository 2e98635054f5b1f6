package meridian.cli.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.time.NanoClock;

/**
 * Keeps a number of requests under way: each answer sends the next request. It shows what one
 * request costs and what a server can do at most, but not what users see at a given rate, because a
 * slow server slows it.
 */
final class ClosedLoop implements Load {

  private final InferenceService service;
  private final Supplier<InferRequest> requests;
  private final int inFlight;
  private final NanoClock clock;

  ClosedLoop(
      InferenceService service, Supplier<InferRequest> requests, int inFlight, NanoClock clock) {
    this.service = service;
    this.requests = requests;
    this.inFlight = inFlight;
    this.clock = clock;
  }

  @Override
  public long run(long nanos, BooleanSupplier stop, LoadRecord record) throws InterruptedException {
    Run run = new Run(clock.nanos() + nanos, stop, record);
    for (int i = 0; i < inFlight; i++) {
      run.sendWhileAnsweredAtOnce();
    }
    run.over.await();
    return run.sent.get();
  }

  private final class Run {

    private final long end;
    private final BooleanSupplier stop;
    private final LoadRecord record;
    private final AtomicLong sent = new AtomicLong();
    private final CountDownLatch over = new CountDownLatch(inFlight);

    Run(long end, BooleanSupplier stop, LoadRecord record) {
      this.end = end;
      this.stop = stop;
      this.record = record;
    }

    /** A loop rather than a recursion, for services that answer on the calling thread. */
    private void sendWhileAnsweredAtOnce() {
      while (end - clock.nanos() > 0 && !stop.getAsBoolean()) {
        InferRequest request = next();
        long started = clock.nanos();
        CompletableFuture<InferResult> answer =
            service.infer(request).handle(LoadRecord::orFailure).toCompletableFuture();
        if (!answer.isDone()) {
          var _ = answer.thenAccept(result -> answered(request, result, started));
          return;
        }
        record.ended(request.priority(), answer.join(), clock.nanos() - started);
      }
      over.countDown();
    }

    private InferRequest next() {
      sent.incrementAndGet();
      synchronized (requests) {
        return requests.get();
      }
    }

    private void answered(InferRequest request, InferResult result, long started) {
      record.ended(request.priority(), result, clock.nanos() - started);
      sendWhileAnsweredAtOnce();
    }
  }
}
