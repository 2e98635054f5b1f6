package meridian.node.lifecycle;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.NanoClock;
import meridian.node.config.ModelSettings.WarmUpSettings;

/**
 * Runs every batch size that will be used, smallest first, so that no request pays for what an
 * engine does the first time. What takes too long is left out, unless an operator asked for it.
 */
final class WarmUp {

  private final LoadedModel model;
  private final WarmUpSettings settings;
  private final SampleInputs samples;
  private final Set<String> outputs;
  private final NanoClock clock;
  private final long limitNanos;

  /**
   * @param signature that of the graph, narrowed by the configuration
   * @param limitNanos after which no further size is begun
   */
  WarmUp(
      LoadedModel model,
      Signature signature,
      WarmUpSettings settings,
      NanoClock clock,
      long limitNanos) {
    this.model = model;
    this.settings = settings;
    this.samples = new SampleInputs(signature, settings.shapes());
    this.outputs =
        signature.outputs().stream().map(TensorSpec::name).collect(Collectors.toUnmodifiableSet());
    this.clock = clock;
    this.limitNanos = limitNanos;
  }

  /**
   * @param mostRows of an execution
   * @return the sizes that ran
   * @throws ModelLoadException if a size that an operator asked for fails
   */
  List<Integer> run(int mostRows) throws ModelLoadException {
    List<Integer> warm = new ArrayList<>();
    long startNanos = clock.nanos();
    for (int rows : sizes(mostRows)) {
      if (!settings.isDeclared() && clock.nanos() - startNanos > limitNanos) {
        break;
      }
      if (!runOne(rows)) {
        break;
      }
      warm.add(rows);
    }
    return warm;
  }

  /** False when the graph has no answer for a guessed input. */
  private boolean runOne(int rows) throws ModelLoadException {
    try {
      model.run(samples.ofRows(rows), outputs);
      return true;
    } catch (ExecutionException e) {
      if (settings.isDeclared()) {
        throw new ModelLoadException("warmup: " + rows + " rows: " + e.getMessage(), e);
      }
      return false;
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
