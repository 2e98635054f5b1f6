package meridian.batching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;

/**
 * What requests must have in common to share a run: names, types and row shapes of their inputs.
 * Executions of one bucket take as long for as many rows. Holds no memory of the request it was
 * made from.
 */
public final class Bucket {

  static final Bucket NONE = new Bucket(new String[0], new DataType[0], new Shape[0]);

  private static final Comparator<NamedTensor> BY_NAME = Comparator.comparing(NamedTensor::name);

  private final String[] names;
  private final DataType[] types;
  private final Shape[] shapes;
  private final int hash;

  private Bucket(String[] names, DataType[] types, Shape[] shapes) {
    this.names = names;
    this.types = types;
    this.shapes = shapes;
    int code = 1;
    for (int i = 0; i < names.length; i++) {
      code = 31 * (31 * code + names[i].hashCode()) + types[i].ordinal();
      code = 31 * code + rowHash(shapes[i]);
    }
    hash = code;
  }

  /** The bucket of a request with these inputs, whatever their order. */
  public static Bucket of(List<NamedTensor> inputs) {
    List<NamedTensor> ordered = ordered(inputs);
    int count = ordered.size();
    String[] names = new String[count];
    DataType[] types = new DataType[count];
    Shape[] shapes = new Shape[count];
    for (int i = 0; i < count; i++) {
      names[i] = ordered.get(i).name();
      types[i] = ordered.get(i).tensor().type();
      shapes[i] = ordered.get(i).tensor().shape();
    }
    return new Bucket(names, types, shapes);
  }

  /** The bucket of inputs of which some are filled up to a length. */
  static Bucket of(List<NamedTensor> inputs, Padding padding, int length) {
    Bucket own = of(inputs);
    Shape[] shapes = own.shapes.clone();
    for (int i = 0; i < shapes.length; i++) {
      if (padding.fills().containsKey(own.names[i])) {
        shapes[i] = shapes[i].with(Padding.AXIS, length);
      }
    }
    return new Bucket(own.names, own.types, shapes);
  }

  /** The bucket that {@link #specs} described. */
  static Bucket ofSpecs(List<TensorSpec> specs) {
    return new Bucket(
        specs.stream().map(TensorSpec::name).toArray(String[]::new),
        specs.stream().map(TensorSpec::type).toArray(DataType[]::new),
        specs.stream().map(TensorSpec::shape).toArray(Shape[]::new));
  }

  /** The inputs by name, any number of rows. */
  List<TensorSpec> specs() {
    List<TensorSpec> specs = new ArrayList<>(names.length);
    for (int i = 0; i < names.length; i++) {
      Shape shape = shapes[i].rank() == 0 ? shapes[i] : shapes[i].with(0, Shape.ANY);
      specs.add(new TensorSpec(names[i], types[i], shape, false));
    }
    return specs;
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
