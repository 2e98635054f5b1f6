package meridian.batching;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;

/**
 * What requests must have in common to share a run: names, types and row shapes of their inputs.
 * Holds no memory of the request it was made from.
 */
final class Bucket {

  static final Bucket NONE = new Bucket(List.of());

  private static final Comparator<NamedTensor> BY_NAME = Comparator.comparing(NamedTensor::name);

  private final String[] names;
  private final DataType[] types;
  private final Shape[] shapes;
  private final int hash;

  private Bucket(List<NamedTensor> inputs) {
    int count = inputs.size();
    names = new String[count];
    types = new DataType[count];
    shapes = new Shape[count];
    int code = 1;
    for (int i = 0; i < count; i++) {
      NamedTensor input = inputs.get(i);
      names[i] = input.name();
      types[i] = input.tensor().type();
      shapes[i] = input.tensor().shape();
      code = 31 * (31 * code + names[i].hashCode()) + types[i].ordinal();
      code = 31 * code + rowHash(shapes[i]);
    }
    hash = code;
  }

  /**
   * @param inputs in the order of {@link #ordered}, rank 1 or more
   */
  static Bucket of(List<NamedTensor> inputs) {
    return new Bucket(inputs);
  }

  /** The inputs by name, so that the order in which a caller lists them makes no difference. */
  static List<NamedTensor> ordered(List<NamedTensor> inputs) {
    for (int i = 1; i < inputs.size(); i++) {
      if (BY_NAME.compare(inputs.get(i - 1), inputs.get(i)) > 0) {
        return inputs.stream().sorted(BY_NAME).toList();
      }
    }
    return inputs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bucket bucket
        && hash == bucket.hash
        && Arrays.equals(names, bucket.names)
        && Arrays.equals(types, bucket.types)
        && sameRows(bucket);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  private boolean sameRows(Bucket other) {
    for (int i = 0; i < shapes.length; i++) {
      if (!sameRow(shapes[i], other.shapes[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameRow(Shape a, Shape b) {
    if (a.rank() != b.rank()) {
      return false;
    }
    for (int i = 1; i < a.rank(); i++) {
      if (a.dim(i) != b.dim(i)) {
        return false;
      }
    }
    return true;
  }

  private static int rowHash(Shape shape) {
    int code = shape.rank();
    for (int i = 1; i < shape.rank(); i++) {
      code = 31 * code + Long.hashCode(shape.dim(i));
    }
    return code;
  }
}
