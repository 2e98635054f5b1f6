package meridian.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.core.backend.Backend;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.infer.Cancellation;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;

/** A real back end that keeps account of its models, and fails the calls it is told to. */
final class FaultyBackend implements Backend {

  /** The calls that can be made to fail. */
  enum Call {
    LOAD,
    /** Not as a load fails, but by a bug. */
    LOAD_BUG,
    RUN,
    CLOSE
  }

  private final Backend real;
  private final Map<Call, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Map<Call, Integer> failing = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicInteger live = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final Map<String, CountDownLatch> modelGates = new ConcurrentHashMap<>();
  private final AtomicInteger loading = new AtomicInteger();
  private final AtomicInteger mostLoading = new AtomicInteger();
  private volatile CountDownLatch loadGate = new CountDownLatch(0);
  private volatile CountDownLatch runGate = new CountDownLatch(0);

  FaultyBackend(Backend real) {
    this.real = real;
  }

  /** Has the {@code nth} call of the kind fail, counted from now, 1 being the next. */
  void failNth(Call call, int nth) {
    failing.put(call, count(call) + nth);
  }

  /** Lets no load through until the gate is opened. */
  CountDownLatch holdLoads() {
    loadGate = new CountDownLatch(1);
    return loadGate;
  }

  /** Lets no load of the model through until the gate is opened. */
  CountDownLatch holdLoads(String model) {
    CountDownLatch gate = new CountDownLatch(1);
    modelGates.put(model, gate);
    return gate;
  }

  /** Lets no run through until the gate is opened. */
  CountDownLatch holdRuns() {
    runGate = new CountDownLatch(1);
    return runGate;
  }

  void releaseLoads() {
    loadGate.countDown();
  }

  int count(Call call) {
    return counter(call).get();
  }

  /** Models loaded and not closed. */
  int live() {
    return live.get();
  }

  /** Loads under way, those that are held too. */
  int loading() {
    return loading.get();
  }

  /** The most loads that were under way at once. */
  int mostLoading() {
    return mostLoading.get();
  }

  int running() {
    return running.get();
  }

  /** What was done to a model that must not be done. */
  List<String> violations() {
    return List.copyOf(violations);
  }

  @Override
  public String name() {
    return real.name();
  }

  @Override
  public String release() {
    return real.release();
  }

  @Override
  public String platform() {
    return real.platform();
  }

  @Override
  public LoadedModel load(Path file, ExecutionSettings settings) throws ModelLoadException {
    mostLoading.accumulateAndGet(loading.incrementAndGet(), Math::max);
    try {
      pass(loadGate);
      pass(modelGates.getOrDefault(model(file), new CountDownLatch(0)));
      if (fails(Call.LOAD)) {
        throw new ModelLoadException("load fails as told");
      }
      if (fails(Call.LOAD_BUG)) {
        throw new IllegalStateException("a bug as told");
      }
      LoadedModel model = real.load(file, settings);
      live.incrementAndGet();
      return new CountedModel(model);
    } finally {
      loading.decrementAndGet();
    }
  }

  /** The folder above the version's. */
  private static String model(Path file) {
    return file.getParent().getParent().getFileName().toString();
  }

  @Override
  public void close() {
    real.close();
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean fails(Call call) {
    return Integer.valueOf(counter(call).incrementAndGet()).equals(failing.get(call));
  }

  private AtomicInteger counter(Call call) {
    return calls.computeIfAbsent(call, _ -> new AtomicInteger());
  }

  private final class CountedModel implements LoadedModel {

    private final LoadedModel model;
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();

    CountedModel(LoadedModel model) {
      this.model = model;
    }

    @Override
    public Signature signature() {
      return model.signature();
    }

    @Override
    public Map<String, String> properties() {
      return model.properties();
    }

    @Override
    public List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
        throws ExecutionException {
      runs.incrementAndGet();
      running.incrementAndGet();
      try {
        pass(runGate);
        if (closes.get() > 0) {
          violations.add("run after close");
        }
        if (fails(Call.RUN)) {
          throw new ExecutionException("run fails as told");
        }
        return model.run(inputs, outputs, stop);
      } finally {
        running.decrementAndGet();
        runs.decrementAndGet();
      }
    }

    @Override
    public void close() {
      if (closes.incrementAndGet() > 1) {
        violations.add("closed twice");
        return;
      }
      if (runs.get() > 0) {
        violations.add("closed while it runs");
      }
      live.decrementAndGet();
      model.close();
      if (fails(Call.CLOSE)) {
        throw new IllegalStateException("close fails as told");
      }
    }
  }
}
