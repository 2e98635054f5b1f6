package meridian.batching;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import meridian.core.backend.ExecutionException;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;

/**
 * A model that gives {@code twice} and {@code minus} of every element of {@code x}. A negative
 * element is poison: the whole run fails and names it. {@link #HOLD} keeps its lane until {@link
 * #release}, which is for one run.
 */
final class Arithmetic implements BatchRunner, BatchListener {

  static final float HOLD = 1_000_000;

  private final Queue<Integer> runs = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> executed = new ConcurrentLinkedQueue<>();
  private final Semaphore held = new Semaphore(0);
  private final Semaphore released = new Semaphore(0);

  @Override
  public List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
      throws ExecutionException {
    Tensor x = inputs.getFirst().tensor();
    runs.add(Math.toIntExact(x.shape().dim(0)));
    float[] values = x.toFloats();
    for (float value : values) {
      check(value);
    }
    List<NamedTensor> results = new ArrayList<>();
    for (String name : List.of("minus", "twice")) {
      if (outputs.contains(name)) {
        results.add(new NamedTensor(name, times(name.equals("minus") ? -1 : 2, x, values)));
      }
    }
    return results;
  }

  @Override
  public void executed(int rows, int requests, long queueNanosOldest, long modelNanos) {
    executed.add(rows);
  }

  /** Rows of every run that was begun, in order. */
  List<Integer> runs() {
    return List.copyOf(runs);
  }

  /** Rows of every run that the listener was told of. */
  List<Integer> executed() {
    return List.copyOf(executed);
  }

  /** Returns when a run with {@link #HOLD} has begun. */
  void awaitHeld() throws InterruptedException {
    if (!held.tryAcquire(30, TimeUnit.SECONDS)) {
      throw new AssertionError("no run with HOLD began");
    }
  }

  /** Lets one run with {@link #HOLD} end. */
  void release() {
    released.release();
  }

  private void check(float value) throws ExecutionException {
    if (value < 0) {
      throw new ExecutionException("x: " + value + " (expected: 0 or more)");
    }
    if (value == HOLD) {
      held.release();
      awaitRelease();
    }
  }

  private void awaitRelease() throws ExecutionException {
    try {
      if (!released.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new ExecutionException("held too long");
      }
    } catch (InterruptedException e) {
      throw new ExecutionException("interrupted", e);
    }
  }

  private static Tensor times(float factor, Tensor x, float[] values) {
    float[] products = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      products[i] = factor * values[i];
    }
    return Tensor.ofFloats(x.shape(), products);
  }
}
