package meridian.node.sequence;

import java.util.List;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.node.config.ModelSettings.StateSettings;

/**
 * A tensor that a graph takes, changes and gives back.
 *
 * @param axis the dimension of the graph's tensors that counts rows
 * @param row the shape of one row's state
 */
record State(String input, String output, int axis, DataType type, Shape row) {

  /**
   * @throws ModelLoadException if the graph has no such tensors, or the state's size is not fixed
   */
  static State of(StateSettings settings, String field, Signature graph) throws ModelLoadException {
    TensorSpec input = find(field + ".input", settings.input(), graph.inputs());
    TensorSpec output = find(field + ".output", settings.output(), graph.outputs());
    if (output.type() != input.type()) {
      throw new ModelLoadException(
          "%s.output: \"%s\" %s (expected: %s, as the input)"
              .formatted(field, output.name(), output.type(), input.type()));
    }
    int axis = settings.axis();
    if (axis >= input.shape().rank()) {
      throw new ModelLoadException(
          "%s.axis: %d (expected: a dimension of \"%s\" %s)"
              .formatted(field, axis, input.name(), input.shape()));
    }
    Shape row = row(input.shape(), axis);
    if (!row.isConcrete() || input.type() == DataType.BYTES) {
      throw new ModelLoadException(
          "%s.input: \"%s\" %s %s (expected: a fixed size but for dimension %d)"
              .formatted(field, input.name(), input.type(), input.shape(), axis));
    }
    return new State(input.name(), output.name(), axis, input.type(), row);
  }

  private static TensorSpec find(String field, String name, List<TensorSpec> specs)
      throws ModelLoadException {
    for (TensorSpec spec : specs) {
      if (spec.name().equals(name)) {
        return spec;
      }
    }
    throw new ModelLoadException(
        "%s: \"%s\" (expected: one of %s)"
            .formatted(field, name, specs.stream().map(TensorSpec::name).toList()));
  }

  private static Shape row(Shape shape, int axis) {
    long[] dims = shape.toArray();
    long[] row = new long[dims.length - 1];
    System.arraycopy(dims, 0, row, 0, axis);
    System.arraycopy(dims, axis + 1, row, axis, row.length - axis);
    return Shape.of(row);
  }
}
