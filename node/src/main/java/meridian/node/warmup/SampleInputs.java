package meridian.node.warmup;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/** Zeros, and empty strings, in the shape of a request. */
final class SampleInputs {

  /** Stands for a dimension that nothing is known of. */
  private static final long UNKNOWN_SIZE = 4;

  private final Signature signature;
  private final Map<String, List<Long>> shapes;

  /**
   * @param shapes by input, the shape of one row, or of the whole tensor when there are no rows;
   *     only variable dimensions are taken from it
   */
  SampleInputs(Signature signature, Map<String, List<Long>> shapes) {
    this.signature = signature;
    this.shapes = shapes;
  }

  /**
   * @param lengthened inputs whose second dimension is to be {@code length}
   */
  List<NamedTensor> ofRows(int rows, Set<String> lengthened, long length) {
    List<NamedTensor> inputs = new ArrayList<>();
    for (TensorSpec spec : signature.inputs()) {
      Shape shape = shape(spec, rows);
      inputs.add(
          new NamedTensor(
              spec.name(),
              zeros(
                  spec.type(), lengthened.contains(spec.name()) ? shape.with(1, length) : shape)));
    }
    return inputs;
  }

  List<NamedTensor> ofRows(int rows) {
    return ofRows(rows, Set.of(), 0);
  }

  private Shape shape(TensorSpec spec, int rows) {
    List<Long> given = shapes.getOrDefault(spec.name(), List.of());
    return signature.batched()
        ? spec.shape().with(0, rows).filled(1, given, UNKNOWN_SIZE)
        : spec.shape().filled(0, given, UNKNOWN_SIZE);
  }

  private static Tensor zeros(DataType type, Shape shape) {
    int count = Math.toIntExact(shape.elementCount());
    return type == DataType.BYTES
        ? Tensor.ofStrings(shape, Collections.nCopies(count, new byte[0]))
        : new Tensor(
            type,
            shape,
            MemorySegment.ofArray(new byte[Math.multiplyExact(count, type.byteSize())]));
  }
}
