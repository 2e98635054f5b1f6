package meridian.benchmarks.lengths;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferenceService;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Asks for one sentence after the other, in no order, some of them at once. */
final class Crowd {

  private final InferenceService service;
  private final List<InferRequest> requests;

  Crowd(InferenceService service, String model, Sentences sentences) {
    this.service = service;
    this.requests =
        IntStream.range(0, sentences.size())
            .mapToObj(i -> InferRequest.of(model, sentences.inputs(i, i + 1)))
            .toList();
  }

  /** Sentences a second. */
  double run(int inFlight) throws InterruptedException {
    Round round = new Round();
    long began = NanoClock.SYSTEM.nanos();
    for (int i = 0; i < inFlight; i++) {
      round.next();
    }
    round.await();
    return requests.size() * 1e9 / (NanoClock.SYSTEM.nanos() - began);
  }

  private final class Round {

    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(requests.size());
    private final AtomicReference<@Nullable InferFailure> failure = new AtomicReference<>();

    void next() {
      int number = begun.getAndIncrement();
      if (number < requests.size()) {
        service
            .infer(requests.get(number))
            .thenAccept(
                result -> {
                  if (result instanceof InferFailure failed) {
                    failure.set(failed);
                  }
                  open.countDown();
                  next();
                });
      }
    }

    void await() throws InterruptedException {
      open.await();
      InferFailure failed = failure.get();
      if (failed != null) {
        throw new IllegalStateException(failed.problem().message());
      }
    }
  }
}
