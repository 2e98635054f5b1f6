package meridian.benchmarks.sequence;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** A voice that sends its next window as soon as the last is answered, until told to stop. */
final class Stream {

  /** 64 samples of context and 512 new ones: 32 ms at 16 kHz. */
  static final int SAMPLES = 576;

  private static final int WINDOWS = 16;

  private final String model;
  private final InferenceService service;
  private final Parameter id;
  private final List<NamedTensor> windows;
  private final LongAdder heard = new LongAdder();
  private final CountDownLatch ended = new CountDownLatch(1);
  private int sent;
  private volatile boolean stopping;
  private volatile @Nullable Throwable failure;

  Stream(String model, InferenceService service, int number, RandomGenerator random) {
    this.model = model;
    this.service = service;
    this.id = new Parameter.Int(number);
    this.windows = IntStream.range(0, WINDOWS).mapToObj(_ -> window(random)).toList();
  }

  /** One window of noise. */
  static NamedTensor window(RandomGenerator random) {
    float[] samples = new float[SAMPLES];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = (float) (0.1 * random.nextGaussian());
    }
    return new NamedTensor("input", Tensor.ofFloats(Shape.of(1, SAMPLES), samples));
  }

  void start() {
    send();
  }

  /** Windows answered so far. */
  long heard() {
    return heard.sum();
  }

  /** Ends the sequence and returns when that is answered. */
  void stop() throws InterruptedException {
    stopping = true;
    ended.await();
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  private void send() {
    boolean last = stopping;
    Parameters parameters =
        Parameters.NONE
            .with("sequence_id", id)
            .with("sequence_start", new Parameter.Bool(sent == 0))
            .with("sequence_end", new Parameter.Bool(last));
    InferRequest request =
        InferRequest.of(model, List.of(windows.get(sent++ % WINDOWS))).withParameters(parameters);
    service.infer(request).whenComplete((result, bug) -> answered(result, bug, last));
  }

  private void answered(@Nullable InferResult result, @Nullable Throwable bug, boolean last) {
    if (!(result instanceof InferResponse)) {
      failure = bug != null ? bug : new IllegalStateException(String.valueOf(result));
      ended.countDown();
      return;
    }
    heard.increment();
    if (last) {
      ended.countDown();
    } else {
      send();
    }
  }
}
