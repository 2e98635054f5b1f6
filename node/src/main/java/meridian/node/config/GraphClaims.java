package meridian.node.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;

/**
 * What a configuration claims about the graph, to be held against it.
 *
 * @param rows the setting that asks for more than one row per execution; empty when none does
 */
record GraphClaims(DeclaredTensors tensors, String rows) {

  /**
   * The signature to serve: the graph's, narrowed to what is declared.
   *
   * @throws ModelLoadException with every contradiction at once
   */
  Signature fit(Signature graph) throws ModelLoadException {
    List<String> faults = new ArrayList<>();
    checkRows(graph, faults);
    if (tensors.isEmpty()) {
      refuse(faults);
      return graph;
    }
    List<TensorSpec> inputs = fitAll("input", tensors.inputs(), graph.inputs(), faults);
    List<TensorSpec> outputs = fitAll("output", tensors.outputs(), graph.outputs(), faults);
    checkMissing(graph, faults);
    refuse(faults);
    return new Signature(
        tensors.inputs().isEmpty() ? graph.inputs() : inputs,
        tensors.outputs().isEmpty() ? graph.outputs() : outputs,
        graph.batched() && tensors.batched());
  }

  private void checkRows(Signature graph, List<String> faults) {
    if (!rows.isEmpty() && !tensors.batched()) {
      faults.add(rows + " beside dims that have no batch dimension (expected: max_batch_size)");
    }
    if (rows.isEmpty() || graph.batched()) {
      return;
    }
    List<String> without =
        Stream.concat(graph.inputs().stream(), graph.outputs().stream())
            .filter(spec -> spec.shape().rank() == 0 || spec.shape().dim(0) != Shape.ANY)
            .map(spec -> "\"" + spec.name() + "\" is " + spec.shape())
            .toList();
    String why = without.isEmpty() ? "its rows are not independent" : String.join(", ", without);
    faults.add(
        "%s on a graph that cannot batch: %s (expected: a variable first dimension of every input and output)"
            .formatted(rows, why));
  }

  private static List<TensorSpec> fitAll(
      String kind, List<DeclaredTensor> declared, List<TensorSpec> graph, List<String> faults) {
    Set<String> seen = new HashSet<>();
    List<TensorSpec> fitted = new ArrayList<>();
    for (DeclaredTensor tensor : declared) {
      if (!seen.add(tensor.name())) {
        faults.add(tensor.path() + ".name: \"" + tensor.name() + "\" is repeated");
        continue;
      }
      graph.stream()
          .filter(spec -> spec.name().equals(tensor.name()))
          .findFirst()
          .ifPresentOrElse(
              spec -> fitted.add(fit(tensor, spec, faults)),
              () -> faults.add(unknown(kind, tensor, graph)));
    }
    return fitted;
  }

  private static String unknown(String kind, DeclaredTensor tensor, List<TensorSpec> graph) {
    return "%s.name: \"%s\" (expected: one of the graph's %ss %s)"
        .formatted(
            tensor.path(), tensor.name(), kind, graph.stream().map(TensorSpec::name).toList());
  }

  private static TensorSpec fit(DeclaredTensor tensor, TensorSpec spec, List<String> faults) {
    if (tensor.type() == null || tensor.shape() == null) {
      return spec;
    }
    if (tensor.type() != spec.type()) {
      faults.add(contradiction(tensor, "data_type", tensor.type(), spec, spec.type()));
    }
    if (tensor.optional() && !spec.optional()) {
      faults.add(contradiction(tensor, "optional", true, spec, "required"));
    }
    if (!spec.shape().matches(tensor.shape())) {
      faults.add(contradiction(tensor, "dims", tensor.shape(), spec, spec.shape()));
    }
    return new TensorSpec(spec.name(), spec.type(), tensor.shape(), spec.optional());
  }

  private static String contradiction(
      DeclaredTensor tensor, String field, Object declared, TensorSpec spec, Object actual) {
    return "%s.%s: %s for \"%s\" (expected: %s as in the graph)"
        .formatted(tensor.path(), field, declared, spec.name(), actual);
  }

  private void checkMissing(Signature graph, List<String> faults) {
    Set<String> declared = new HashSet<>();
    tensors.inputs().forEach(tensor -> declared.add(tensor.name()));
    for (TensorSpec spec : graph.inputs()) {
      if (!declared.isEmpty() && !declared.contains(spec.name()) && !spec.optional()) {
        faults.add(
            "input: \"%s\" of the graph is missing (expected: %s %s)"
                .formatted(spec.name(), spec.type(), spec.shape()));
      }
    }
  }

  private static void refuse(List<String> faults) throws ModelLoadException {
    if (!faults.isEmpty()) {
      throw new ModelLoadException(
          "the configuration contradicts the graph: " + String.join("; ", faults));
    }
  }
}
