package meridian.core.tensor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The dimensions of a tensor, outermost first. A dimension of {@value #ANY} matches every size;
 * tensors have none of those, specifications may. Rank 0 is a scalar.
 */
public final class Shape {

  public static final long ANY = -1;
  public static final Shape SCALAR = new Shape();

  private final long[] dims;

  private Shape(long... dims) {
    this.dims = dims;
  }

  /**
   * @throws IllegalArgumentException if a dimension is below {@value #ANY}
   */
  public static Shape of(long... dims) {
    for (long dim : dims) {
      if (dim < ANY) {
        throw new IllegalArgumentException("dimension: " + dim + " (expected: -1 or more)");
      }
    }
    return dims.length == 0 ? SCALAR : new Shape(dims.clone());
  }

  public int rank() {
    return dims.length;
  }

  public long dim(int index) {
    return dims[index];
  }

  public long[] toArray() {
    return dims.clone();
  }

  /** True when no dimension is {@value #ANY}. */
  public boolean isConcrete() {
    for (long dim : dims) {
      if (dim == ANY) {
        return false;
      }
    }
    return true;
  }

  /**
   * The number of elements; 1 for rank 0.
   *
   * @throws ArithmeticException if it does not fit in a long, or a dimension is {@value #ANY}
   */
  public long elementCount() {
    long count = 1;
    boolean empty = false;
    for (long dim : dims) {
      if (dim == ANY) {
        throw new ArithmeticException("elements of " + this + " (expected: no -1)");
      }
      if (dim == 0) {
        empty = true;
      } else {
        count = Math.multiplyExact(count, dim);
      }
    }
    return empty ? 0 : count;
  }

  /** The same shape with another size of dimension {@code index}. */
  public Shape with(int index, long size) {
    long[] copy = dims.clone();
    copy[index] = size;
    return of(copy);
  }

  /**
   * The shape with a size for every dimension that varies.
   *
   * @param sizes of the dimensions from {@code first} on, {@value #ANY} or missing where unknown
   * @param otherwise the size of what is unknown
   */
  public Shape filled(int first, List<Long> sizes, long otherwise) {
    long[] copy = dims.clone();
    for (int i = first; i < copy.length; i++) {
      if (copy[i] == ANY) {
        long known = i - first < sizes.size() ? sizes.get(i - first) : ANY;
        copy[i] = known == ANY ? otherwise : known;
      }
    }
    return of(copy);
  }

  /** The shape without its first dimension: that of one row of a batch. */
  public Shape row() {
    return of(Arrays.copyOfRange(dims, 1, dims.length));
  }

  /** The shape with {@code rows} in front: that of a batch of these rows. */
  public Shape batchOf(long rows) {
    long[] batch = new long[dims.length + 1];
    batch[0] = rows;
    System.arraycopy(dims, 0, batch, 1, dims.length);
    return of(batch);
  }

  /** True when a tensor of shape {@code other} fits this specification. */
  public boolean matches(Shape other) {
    if (other.dims.length != dims.length) {
      return false;
    }
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] != ANY && dims[i] != other.dims[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && Arrays.equals(dims, shape.dims);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims);
  }

  /** As the protocol writes it: {@code [2,4]}. */
  @Override
  public String toString() {
    return Arrays.stream(dims).mapToObj(Long::toString).collect(Collectors.joining(",", "[", "]"));
  }
}
