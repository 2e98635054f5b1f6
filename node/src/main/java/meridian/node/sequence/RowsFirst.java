package meridian.node.sequence;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.infer.Cancellation;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/**
 * A model as the batching wants it: every tensor counts rows in its first dimension. States that
 * count them elsewhere are turned on the way in and out, and inputs of a fixed value are filled in.
 */
final class RowsFirst implements LoadedModel {

  private final LoadedModel model;
  private final List<NamedTensor> fixed;
  private final Map<String, Integer> inputAxes = new HashMap<>();
  private final Map<String, Integer> outputAxes = new HashMap<>();
  private final Signature signature;

  /**
   * @param states of the model's own signature
   * @param fixed inputs that nobody sends
   */
  RowsFirst(LoadedModel model, List<State> states, List<NamedTensor> fixed) {
    this.model = model;
    this.fixed = fixed;
    Map<String, Shape> shapes = new HashMap<>();
    for (State state : states) {
      inputAxes.put(state.input(), state.axis());
      outputAxes.put(state.output(), state.axis());
      Shape turned = state.row().batchOf(Shape.ANY);
      shapes.put(state.input(), turned);
      shapes.put(state.output(), turned);
    }
    this.signature = signature(model.signature(), shapes, fixed);
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public Map<String, String> properties() {
    return model.properties();
  }

  @Override
  public boolean steady() {
    return model.steady();
  }

  @Override
  public List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
      throws ExecutionException {
    try (Arena arena = Arena.ofConfined()) {
      List<NamedTensor> given = new ArrayList<>(fixed);
      for (NamedTensor input : inputs) {
        int axis = inputAxes.getOrDefault(input.name(), 0);
        given.add(
            axis == 0
                ? input
                : new NamedTensor(input.name(), Turn.in(input.tensor(), axis, arena)));
      }
      List<NamedTensor> results = new ArrayList<>(outputs.size());
      for (NamedTensor output : model.run(given, outputs, stop)) {
        int axis = outputAxes.getOrDefault(output.name(), 0);
        results.add(
            axis == 0
                ? output
                : new NamedTensor(output.name(), Turn.out(output.tensor(), axis, Rows.HEAP)));
      }
      return results;
    }
  }

  @Override
  public void close() {
    model.close();
  }

  private static Signature signature(
      Signature graph, Map<String, Shape> shapes, List<NamedTensor> fixed) {
    Set<String> filledIn = new HashSet<>();
    fixed.forEach(tensor -> filledIn.add(tensor.name()));
    List<TensorSpec> inputs =
        graph.inputs().stream()
            .filter(spec -> !filledIn.contains(spec.name()))
            .map(spec -> turned(spec, shapes))
            .toList();
    List<TensorSpec> outputs = graph.outputs().stream().map(spec -> turned(spec, shapes)).toList();
    boolean batched =
        !inputs.isEmpty()
            && Stream.concat(inputs.stream(), outputs.stream())
                .map(TensorSpec::shape)
                .allMatch(shape -> shape.rank() > 0 && shape.dim(0) == Shape.ANY);
    return new Signature(inputs, outputs, batched);
  }

  private static TensorSpec turned(TensorSpec spec, Map<String, Shape> shapes) {
    Shape shape = shapes.getOrDefault(spec.name(), spec.shape());
    return new TensorSpec(spec.name(), spec.type(), shape, spec.optional());
  }

  /** Moves the rows of a tensor between the first dimension and another, block by block. */
  private static final class Turn {

    static Tensor in(Tensor tensor, int axis, SegmentAllocator memory) {
      long[] from = tensor.shape().toArray();
      long[] to = from.clone();
      System.arraycopy(from, 1, to, 0, axis);
      to[axis] = from[0];
      long rows = from[0];
      long before = product(to, 0, axis);
      return moved(tensor, Shape.of(to), rows, before, memory);
    }

    static Tensor out(Tensor tensor, int axis, SegmentAllocator memory) {
      long[] from = tensor.shape().toArray();
      long[] to = from.clone();
      System.arraycopy(from, 0, to, 1, axis);
      to[0] = from[axis];
      long rows = from[axis];
      long before = product(from, 0, axis);
      return moved(tensor, Shape.of(to), before, rows, memory);
    }

    /** From [first][second][block] to [second][first][block]. */
    private static Tensor moved(
        Tensor tensor, Shape shape, long first, long second, SegmentAllocator memory) {
      long size = tensor.data().byteSize();
      MemorySegment data = memory.allocate(size, Long.BYTES);
      long block = size == 0 ? 0 : size / (first * second);
      for (long i = 0; i < first; i++) {
        for (long j = 0; j < second; j++) {
          MemorySegment.copy(
              tensor.data(), (i * second + j) * block, data, (j * first + i) * block, block);
        }
      }
      return new Tensor(tensor.type(), shape, data);
    }

    private static long product(long[] dims, int from, int to) {
      long product = 1;
      for (int i = from; i < to; i++) {
        product *= dims[i];
      }
      return product;
    }
  }
}
