package meridian.node.lifecycle;

import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import meridian.core.backend.Invariance;
import meridian.core.backend.InvarianceProbe;
import meridian.core.backend.InvarianceProbe.Padding;
import meridian.core.backend.LoadedModel;
import meridian.core.model.Signature;
import meridian.core.tensor.TensorSpec;
import meridian.node.config.Mixing;
import meridian.node.config.ModelSettings;

/**
 * How executions of a version are made up.
 *
 * @param maxRows the most rows of one; 1 for a graph without rows
 * @param mixing whether they hold rows of several requests
 * @param separateRows whether a pipeline has the rows of one request executed one by one
 * @param properties for the metadata
 */
record BatchingRule(
    int maxRows, boolean mixing, boolean separateRows, Map<String, String> properties) {

  private static final BatchingRule NONE =
      new BatchingRule(1, false, false, Map.of("batching", "none"));

  /** The same for every load, so that a model is judged alike everywhere. */
  private static final long SEED = 20260101;

  /**
   * @param signature to serve of the graph
   * @param padding of rows of unlike length
   * @param model to be probed
   */
  static BatchingRule of(
      ModelSettings settings, Signature signature, PaddingRule padding, LoadedModel model) {
    if (!signature.batched()) {
      return NONE;
    }
    Invariance probed =
        InvarianceProbe.measure(
            model,
            padding(settings, padding, model),
            settings.warmUp().shapes(),
            new SplittableRandom(SEED));
    Mixing wanted = settings.batching().mixing();
    boolean mixing =
        switch (wanted) {
          case AUTO -> probed.invariant();
          case EXACT -> false;
          case ALLOWED -> true;
        };
    boolean separateRows = !probed.invariant() && wanted != Mixing.ALLOWED;
    int maxRows = settings.batching().maxRows();
    return new BatchingRule(
        maxRows, mixing, separateRows, properties(maxRows, mixing, wanted, probed));
  }

  /** A text pipeline pads rows to a common length, and masks what it has added. */
  private static Padding padding(ModelSettings settings, PaddingRule declared, LoadedModel model) {
    return settings.text() == null
        ? declared.probe()
        : new Padding(
            model.signature().inputs().stream()
                .collect(Collectors.toMap(TensorSpec::name, _ -> 0L)));
  }

  private static Map<String, String> properties(
      int maxRows, boolean mixing, Mixing wanted, Invariance probed) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("batching", mixing ? "mixed" : "exact");
    properties.put("batching_mixing", wanted.name().toLowerCase(Locale.ROOT));
    properties.put("max_rows", Integer.toString(maxRows));
    properties.put("batch_invariant", Boolean.toString(probed.invariant()));
    properties.put("largest_deviation", Double.toString(probed.largestDeviation()));
    if (!probed.reason().isEmpty()) {
      properties.put("batch_invariant_reason", probed.reason());
    }
    return properties;
  }
}
