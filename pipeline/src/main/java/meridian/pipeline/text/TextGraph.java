package meridian.pipeline.text;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.text.TextSettings.GraphNames;
import meridian.pipeline.text.TextSettings.Pooling;
import org.jspecify.annotations.Nullable;

/**
 * The part that each tensor of a graph plays in the text pipeline.
 *
 * @param inputIds INT64 or INT32 [rows, tokens], as the other two inputs
 * @param output FP32: [rows, tokens, size], or [rows, size] where the graph pools itself
 */
record TextGraph(
    TensorSpec inputIds,
    @Nullable TensorSpec attentionMask,
    @Nullable TensorSpec tokenTypeIds,
    TensorSpec output) {

  private static final Set<DataType> ID_TYPES = Set.of(DataType.INT64, DataType.INT32);

  static TextGraph find(TextSettings settings, Signature graph) throws ModelLoadException {
    GraphNames names = settings.graph();
    TextGraph found =
        new TextGraph(
            requiredInput(graph, names.inputIds(), "input_ids"),
            input(graph, names.attentionMask(), "attention_mask"),
            input(graph, names.tokenTypeIds(), "token_type_ids"),
            findOutput(graph, names.output()));
    found.requireNoOtherInputs(graph);
    found.requireShapes(settings.pooling());
    return found;
  }

  /** The one sequence length that the graph takes, or {@link Shape#ANY}. */
  long fixedTokens() {
    return inputIds.shape().dim(1);
  }

  /** True when each text needs an execution of its own, whatever the graph's arithmetic. */
  boolean takesOneRow() {
    return inputIds.shape().dim(0) == 1 || attentionMask == null;
  }

  /** True when the graph gives a vector for each token, false when one for each text. */
  boolean givesTokenVectors() {
    return output.shape().rank() == 3;
  }

  /** The length of a vector, or {@link Shape#ANY} where only the graph's execution shows it. */
  long vectorSize() {
    return output.shape().dim(output.shape().rank() - 1);
  }

  private static TensorSpec requiredInput(Signature graph, @Nullable String declared, String usual)
      throws ModelLoadException {
    TensorSpec spec = input(graph, declared, usual);
    if (spec == null) {
      throw missing("inputs", usual, graph.inputs());
    }
    return spec;
  }

  private static @Nullable TensorSpec input(
      Signature graph, @Nullable String declared, String usual) throws ModelLoadException {
    Optional<TensorSpec> spec = graph.input(Objects.requireNonNullElse(declared, usual));
    if (spec.isEmpty() && declared != null) {
      throw missing("inputs", declared, graph.inputs());
    }
    return spec.orElse(null);
  }

  private static TensorSpec findOutput(Signature graph, @Nullable String declared)
      throws ModelLoadException {
    String name = Objects.requireNonNullElse(declared, "last_hidden_state");
    Optional<TensorSpec> spec = graph.output(name);
    if (spec.isEmpty() && declared == null && graph.outputs().size() == 1) {
      return graph.outputs().getFirst();
    }
    return spec.orElseThrow(() -> missing("outputs", name, graph.outputs()));
  }

  private void requireNoOtherInputs(Signature graph) throws ModelLoadException {
    for (TensorSpec spec : graph.inputs()) {
      if (!spec.optional()
          && !spec.equals(inputIds)
          && !spec.equals(attentionMask)
          && !spec.equals(tokenTypeIds)) {
        throw new ModelLoadException(
            "pipeline.text: the graph's input \"%s\" has no source (expected: only token ids, attention mask and token type ids)"
                .formatted(spec.name()));
      }
    }
  }

  private void requireShapes(Pooling pooling) throws ModelLoadException {
    requireIds(inputIds);
    if (attentionMask != null) {
      requireIds(attentionMask);
    }
    if (tokenTypeIds != null) {
      requireIds(tokenTypeIds);
    }
    int rank = output.shape().rank();
    boolean pooled = rank == 2 && pooling == Pooling.NONE;
    if (output.type() != DataType.FP32 || (rank != 3 && !pooled)) {
      throw unfit(
          "outputs", output, pooling == Pooling.NONE ? "FP32 of rank 2 or 3" : "FP32 of rank 3");
    }
  }

  private static void requireIds(TensorSpec spec) throws ModelLoadException {
    Shape shape = spec.shape();
    if (!ID_TYPES.contains(spec.type())
        || shape.rank() != 2
        || (shape.dim(0) != Shape.ANY && shape.dim(0) != 1)) {
      throw unfit("inputs", spec, "INT64 or INT32 of [-1, -1] or [1, -1]");
    }
  }

  private static ModelLoadException missing(String field, String name, List<TensorSpec> specs) {
    return new ModelLoadException(
        "pipeline.text: the graph's %s have no \"%s\" (expected: one of %s)"
            .formatted(field, name, specs.stream().map(TensorSpec::name).toList()));
  }

  private static ModelLoadException unfit(String field, TensorSpec spec, String expected) {
    return new ModelLoadException(
        "pipeline.text: the graph's %s hold \"%s\" as %s %s (expected: %s)"
            .formatted(field, spec.name(), spec.type(), spec.shape(), expected));
  }
}
