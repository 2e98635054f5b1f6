package meridian.core.backend;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** The second dimension of tensors of one row, and changes to it. Elements are of one size. */
final class RowLength {

  private RowLength() {}

  static long of(Tensor row) {
    return row.shape().dim(1);
  }

  /** The first {@code length} of the row; the memory is shared. */
  static Tensor cut(Tensor row, long length) {
    Shape shape = row.shape().with(1, length);
    return new Tensor(
        row.type(), shape, row.data().asSlice(0, shape.elementCount() * row.type().byteSize()));
  }

  /** The row with {@code value} from its end up to {@code length}. */
  static Tensor fill(Tensor row, long length, long value) {
    Shape shape = row.shape().with(1, length);
    int width = row.type().byteSize();
    byte[] bytes = new byte[Math.toIntExact(shape.elementCount() * width)];
    MemorySegment data = MemorySegment.ofArray(bytes);
    data.copyFrom(row.data());
    for (long at = row.data().byteSize(); at < bytes.length; at += width) {
      Elements.setWhole(data, at, row.type(), value);
    }
    return new Tensor(row.type(), shape, data);
  }

  /** The row cut to the length that {@code like} has, where that is all they differ in. */
  static Tensor cutLike(Tensor row, Tensor like) {
    long[] ours = row.shape().toArray();
    long[] theirs = like.shape().toArray();
    if (ours.length != theirs.length || ours.length < 2 || ours[1] <= theirs[1]) {
      return row;
    }
    ours[1] = theirs[1];
    return Arrays.equals(ours, theirs) ? cut(row, theirs[1]) : row;
  }
}
