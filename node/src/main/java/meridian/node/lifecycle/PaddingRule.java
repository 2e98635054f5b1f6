package meridian.node.lifecycle;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import meridian.batching.Padding;
import meridian.core.backend.InvarianceProbe;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.node.config.ModelSettings.PaddingSettings;

/**
 * Which inputs of a graph may be filled up along their second dimension, and which outputs are as
 * long as they are.
 *
 * @param values by input, the number that fills it up; none when lengths must not be mixed
 */
record PaddingRule(Signature graph, Map<String, Long> values, Set<String> outputs) {

  private static final int AXIS = 1;

  /**
   * As declared.
   *
   * @throws ModelLoadException if the graph has no such tensors, or they have no variable length
   */
  static PaddingRule declared(PaddingSettings settings, Signature graph) throws ModelLoadException {
    Map<String, TensorSpec> inputs = byName(graph.inputs());
    Map<String, TensorSpec> outputs = byName(graph.outputs());
    for (String name : settings.inputs().keySet()) {
      requireLength("inputs", name, inputs);
    }
    for (String name : settings.outputs()) {
      requireLength("outputs", name, outputs);
    }
    if (!settings.inputs().isEmpty() && !graph.batched()) {
      throw new ModelLoadException(
          "batching.padding: a graph without rows (expected: rows to mix)");
    }
    return new PaddingRule(graph, settings.inputs(), Set.copyOf(settings.outputs()));
  }

  /** As a pipeline fills up what it makes; every output that can be is as long as its inputs. */
  static PaddingRule of(Map<String, Long> values, Signature graph) {
    return new PaddingRule(
        graph,
        values,
        graph.outputs().stream()
            .filter(PaddingRule::hasLength)
            .map(TensorSpec::name)
            .collect(Collectors.toUnmodifiableSet()));
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  InvarianceProbe.Padding probe() {
    return new InvarianceProbe.Padding(values);
  }

  /**
   * @param edges ascending lengths
   */
  Padding upTo(List<Integer> edges) {
    Map<String, byte[]> fills = new TreeMap<>();
    for (TensorSpec input : graph.inputs()) {
      Long value = values.get(input.name());
      if (value != null) {
        fills.put(input.name(), InvarianceProbe.Padding.element(input.type(), value));
      }
    }
    return new Padding(fills, outputs, edges);
  }

  private static void requireLength(String side, String name, Map<String, TensorSpec> specs)
      throws ModelLoadException {
    TensorSpec spec = specs.get(name);
    if (spec == null || !hasLength(spec)) {
      throw new ModelLoadException(
          "batching.padding.%s: \"%s\"%s (expected: one of the graph's with a variable second dimension: %s)"
              .formatted(
                  side,
                  name,
                  spec == null ? "" : " " + spec.type() + " " + spec.shape(),
                  specs.values().stream()
                      .filter(PaddingRule::hasLength)
                      .map(TensorSpec::name)
                      .sorted()
                      .toList()));
    }
  }

  private static boolean hasLength(TensorSpec spec) {
    return spec.type() != DataType.BYTES
        && spec.shape().rank() > AXIS
        && spec.shape().dim(AXIS) == Shape.ANY;
  }

  private static Map<String, TensorSpec> byName(List<TensorSpec> specs) {
    return specs.stream().collect(Collectors.toMap(TensorSpec::name, Function.identity()));
  }
}
