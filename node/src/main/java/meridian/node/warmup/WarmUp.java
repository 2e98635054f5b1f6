package meridian.node.warmup;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import meridian.batching.Bucket;
import meridian.batching.LatencyTable;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.NanoClock;
import meridian.node.config.ModelSettings.WarmUpSettings;
import org.jspecify.annotations.Nullable;

/**
 * Runs every batch size that will be used, smallest first, so that no request pays for what an
 * engine does the first time; then again, to measure how long each takes. What takes too long is
 * left out, unless an operator asked for it.
 */
public final class WarmUp {

  /** Enough for a median that one interruption does not move. */
  private static final int MEASURED_RUNS = 3;

  /** Enough to tell a tenth; of {@value ThreadChoice#SHORT_NANOS} ns and more each. */
  private static final int SAMPLE_RUNS = 15;

  /** Enough for an execution to cost more than its overhead. */
  private static final int EDGE_ROWS = 8;

  private final LoadedModel model;
  private final WarmUpSettings settings;
  private final SampleInputs samples;
  private final Set<String> outputs;
  private final NanoClock clock;
  private final long limitNanos;
  private final Progress progress;

  /**
   * @param signature that of the graph, narrowed by the configuration
   * @param limitNanos after which no further run is begun; for the warm-up and the measuring each
   */
  public WarmUp(
      LoadedModel model,
      Signature signature,
      WarmUpSettings settings,
      NanoClock clock,
      long limitNanos,
      Progress progress) {
    this.model = model;
    this.settings = settings;
    this.samples = new SampleInputs(signature, settings.shapes());
    this.outputs =
        signature.outputs().stream().map(TensorSpec::name).collect(Collectors.toUnmodifiableSet());
    this.clock = clock;
    this.limitNanos = limitNanos;
    this.progress = progress;
  }

  /**
   * @throws ModelLoadException if a shape is given for no input, or does not fit its input
   */
  public static void requireFitting(WarmUpSettings settings, Signature signature)
      throws ModelLoadException {
    for (Map.Entry<String, List<Long>> given : settings.shapes().entrySet()) {
      String field = "warmup.shapes." + given.getKey();
      TensorSpec input = signature.input(given.getKey()).orElse(null);
      if (input == null) {
        throw new ModelLoadException(
            "%s: unknown (expected: one of %s)"
                .formatted(field, signature.inputs().stream().map(TensorSpec::name).toList()));
      }
      Shape expected = signature.batched() ? input.shape().row() : input.shape();
      Shape shape = Shape.of(given.getValue().stream().mapToLong(Long::longValue).toArray());
      if (!expected.matches(shape)) {
        throw new ModelLoadException(
            "%s: %s (expected: %s%s)"
                .formatted(
                    field, shape, expected, signature.batched() ? ", without the rows" : ""));
      }
    }
  }

  /**
   * @param mostRows of an execution
   * @return the sizes that ran, ascending
   * @throws ModelLoadException if a size that an operator asked for fails
   */
  public List<Integer> run(int mostRows) throws ModelLoadException {
    List<Integer> warm = new ArrayList<>();
    Set<Integer> sizes = sizes(mostRows);
    long endNanos = clock.nanos() + limitNanos;
    for (int rows : sizes) {
      progress.report("warming up: %d of %d batch sizes".formatted(warm.size(), sizes.size()));
      boolean late = !settings.isDeclared() && clock.nanos() - endNanos > 0;
      if (late || progress.isUnwanted() || !warm(rows)) {
        break;
      }
      warm.add(rows);
    }
    return warm;
  }

  /**
   * Has the table learn how long warm sizes take, smallest first.
   *
   * @return how many of the sizes were measured
   */
  public int measure(List<Integer> warm, LatencyTable table) {
    long endNanos = clock.nanos() + limitNanos;
    int measured = 0;
    for (int rows : warm) {
      progress.report("measuring: %d of %d batch sizes".formatted(measured, warm.size()));
      if (!measure(samples.ofRows(rows), rows, endNanos, table)) {
        break;
      }
      measured++;
    }
    return measured;
  }

  /**
   * Up to which lengths requests may be filled up. What the table does not know yet is measured.
   *
   * @param inputs that are filled up
   * @param mostRows of an execution
   */
  public List<Integer> edges(Set<String> inputs, int mostRows, LatencyTable table) {
    int rows = Math.min(EDGE_ROWS, mostRows);
    long endNanos = clock.nanos() + limitNanos;
    return LengthEdges.among(
        LengthEdges.candidates(),
        length -> nanos(samples.ofRows(rows, inputs, length), rows, endNanos, table));
  }

  /**
   * How long an execution of the fewest rows takes when it has the machine to itself: the median in
   * nanoseconds, 0 if it fails or there is no time.
   *
   * @param mostRows of an execution
   */
  public long sampleNanos(int mostRows) throws ModelLoadException {
    List<NamedTensor> inputs = samples.ofRows(Collections.min(sizes(mostRows)));
    List<Long> nanos = new ArrayList<>();
    long endNanos = clock.nanos() + limitNanos;
    progress.report("measuring: threads");
    while (nanos.size() < SAMPLE_RUNS && !isOver(endNanos)) {
      long startNanos = clock.nanos();
      if (failure(inputs) != null) {
        return 0;
      }
      nanos.add(clock.nanos() - startNanos);
    }
    Collections.sort(nanos);
    return nanos.isEmpty() ? 0 : nanos.get(nanos.size() / 2);
  }

  private long nanos(List<NamedTensor> inputs, int rows, long endNanos, LatencyTable table) {
    Bucket bucket = Bucket.of(inputs);
    if (table.medianNanos(bucket, rows) == 0 && !isOver(endNanos)) {
      progress.report("measuring: lengths");
      measure(inputs, rows, endNanos, table);
    }
    return table.medianNanos(bucket, rows);
  }

  /** False when the sample could not be run once in the time. */
  private boolean measure(List<NamedTensor> inputs, int rows, long endNanos, LatencyTable table) {
    Bucket bucket = Bucket.of(inputs);
    for (int i = 0; i < MEASURED_RUNS; i++) {
      long startNanos = clock.nanos();
      if (isOver(endNanos) || failure(inputs) != null) {
        return i > 0;
      }
      table.record(bucket, rows, clock.nanos() - startNanos);
    }
    return true;
  }

  private boolean isOver(long endNanos) {
    return progress.isUnwanted() || clock.nanos() - endNanos > 0;
  }

  /** False when the graph has no answer for a guessed input. */
  private boolean warm(int rows) throws ModelLoadException {
    ExecutionException failure = failure(samples.ofRows(rows));
    if (failure != null && settings.isDeclared()) {
      throw new ModelLoadException("warmup: " + rows + " rows: " + failure.getMessage(), failure);
    }
    return failure == null;
  }

  private @Nullable ExecutionException failure(List<NamedTensor> inputs) {
    try {
      model.run(inputs, outputs);
      return null;
    } catch (ExecutionException e) {
      return e;
    }
  }

  private Set<Integer> sizes(int mostRows) throws ModelLoadException {
    if (!settings.rows().isEmpty()) {
      return declaredSizes(mostRows);
    }
    Set<Integer> sizes = new TreeSet<>();
    for (int rows = 1; rows > 0 && rows < mostRows; rows *= 2) {
      sizes.add(rows);
    }
    sizes.add(mostRows);
    return sizes;
  }

  private Set<Integer> declaredSizes(int mostRows) throws ModelLoadException {
    for (int rows : settings.rows()) {
      if (rows > mostRows) {
        throw new ModelLoadException(
            "warmup.rows: %d (expected: at most %d)".formatted(rows, mostRows));
      }
    }
    return new TreeSet<>(settings.rows());
  }
}
