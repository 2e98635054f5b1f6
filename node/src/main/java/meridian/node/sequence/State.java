package meridian.node.sequence;

import java.util.ArrayList;
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
   * @throws ModelLoadException if the graph has no such tensors, they do not fit to each other or
   *     to what is declared of them, or the state's size is not fixed
   */
  static List<State> all(List<StateSettings> settings, Signature graph) throws ModelLoadException {
    List<State> states = new ArrayList<>(settings.size());
    for (StateSettings each : settings) {
      states.add(of(each, "sequence.states[" + states.size() + "]", graph));
    }
    return states;
  }

  /** Bytes of one row's state. */
  long rowBytes() {
    return row.elementCount() * type.byteSize();
  }

  private static State of(StateSettings settings, String field, Signature graph)
      throws ModelLoadException {
    TensorSpec input = find(field + ".input", settings.input(), graph.inputs());
    TensorSpec output = find(field + ".output", settings.output(), graph.outputs());
    int axis = settings.axis();
    requireRows(field, axis, input);
    Shape row = without(input.shape(), axis);
    if (!row.isConcrete() || input.type() == DataType.BYTES) {
      throw new ModelLoadException(
          "%s.input: \"%s\" %s %s (expected: a fixed size but for dimension %d)"
              .formatted(field, input.name(), input.type(), input.shape(), axis));
    }
    requireLike(field, input, output);
    requireAsDeclared(field, settings, input, row);
    return new State(input.name(), output.name(), axis, input.type(), row);
  }

  private static void requireRows(String field, int axis, TensorSpec input)
      throws ModelLoadException {
    Shape shape = input.shape();
    if (axis >= shape.rank()) {
      throw new ModelLoadException(
          "%s.axis: %d (expected: a dimension of \"%s\" %s)"
              .formatted(field, axis, input.name(), shape));
    }
    if (shape.dim(axis) != Shape.ANY && shape.dim(axis) != 1) {
      throw new ModelLoadException(
          "%s.axis: %d, of size %d in \"%s\" %s (expected: the dimension that counts rows, variable or 1)"
              .formatted(field, axis, shape.dim(axis), input.name(), shape));
    }
  }

  /** Where converters leave a dimension of the output open, the first execution tells. */
  private static void requireLike(String field, TensorSpec input, TensorSpec output)
      throws ModelLoadException {
    if (output.type() != input.type() || !output.shape().matches(concrete(input, output))) {
      throw new ModelLoadException(
          "%s.output: \"%s\" %s %s (expected: %s %s, as the input)"
              .formatted(
                  field,
                  output.name(),
                  output.type(),
                  output.shape(),
                  input.type(),
                  input.shape()));
    }
  }

  /** The input's shape with the size that the output has where the input's varies. */
  private static Shape concrete(TensorSpec input, TensorSpec output) {
    Shape shape = input.shape();
    for (int i = 0; i < Math.min(shape.rank(), output.shape().rank()); i++) {
      if (shape.dim(i) == Shape.ANY) {
        shape = shape.with(i, output.shape().dim(i));
      }
    }
    return shape;
  }

  private static void requireAsDeclared(
      String field, StateSettings declared, TensorSpec input, Shape row) throws ModelLoadException {
    if (declared.type() != null && declared.type() != input.type()) {
      throw new ModelLoadException(
          "%s.data_type: %s for \"%s\" (expected: %s as in the graph)"
              .formatted(field, declared.type(), input.name(), input.type()));
    }
    if (declared.row() != null && !declared.row().matches(row)) {
      throw new ModelLoadException(
          "%s.dims: %s for \"%s\" (expected: %s as in the graph, without the rows)"
              .formatted(field, declared.row(), input.name(), row));
    }
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

  private static Shape without(Shape shape, int axis) {
    long[] dims = shape.toArray();
    long[] row = new long[dims.length - 1];
    System.arraycopy(dims, 0, row, 0, axis);
    System.arraycopy(dims, axis + 1, row, axis, row.length - axis);
    return Shape.of(row);
  }
}
