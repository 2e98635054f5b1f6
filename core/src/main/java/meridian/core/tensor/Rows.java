package meridian.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/** Batches along the first dimension: joins tensors of like rows, and cuts rows out again. */
public final class Rows {

  /** Keeps every tensor at an address that each element type and vector load is happy with. */
  private static final long ALIGNMENT = 64;

  private Rows() {}

  /**
   * One tensor with the rows of {@code parts} in their order, in memory of {@code allocator}.
   *
   * @param parts of one type and one {@link Shape#row()}, rank 1 or more, at least one
   */
  public static Tensor concat(List<Tensor> parts, SegmentAllocator allocator) {
    Tensor first = parts.getFirst();
    long rows = 0;
    long bytes = 0;
    for (Tensor part : parts) {
      requireLike(first, part);
      rows += part.shape().dim(0);
      bytes += part.data().byteSize();
    }
    MemorySegment data = allocator.allocate(bytes, ALIGNMENT);
    long at = 0;
    for (Tensor part : parts) {
      MemorySegment.copy(part.data(), 0, data, at, part.data().byteSize());
      at += part.data().byteSize();
    }
    return new Tensor(first.type(), first.shape().with(0, rows), data);
  }

  /** The same tensor in memory of {@code allocator}; any rank. */
  public static Tensor copy(Tensor tensor, SegmentAllocator allocator) {
    MemorySegment data = allocator.allocate(tensor.data().byteSize(), ALIGNMENT);
    return new Tensor(tensor.type(), tensor.shape(), data.copyFrom(tensor.data()));
  }

  /** Rows {@code from} to {@code from + count} as a view of the same memory. */
  public static Tensor slice(Tensor tensor, long from, long count) {
    Shape shape = tensor.shape().with(0, count);
    if (tensor.type() == DataType.BYTES) {
      long perRow = shape.row().elementCount();
      long start = ByteStrings.skip(tensor.data(), 0, from * perRow);
      long end = ByteStrings.skip(tensor.data(), start, count * perRow);
      return new Tensor(tensor.type(), shape, tensor.data().asSlice(start, end - start));
    }
    long rowBytes = shape.row().elementCount() * tensor.type().byteSize();
    return new Tensor(
        tensor.type(), shape, tensor.data().asSlice(from * rowBytes, count * rowBytes));
  }

  /**
   * Cuts {@code tensor} into consecutive parts of {@code counts} rows, each a view of the same
   * memory, in one pass over it.
   *
   * @param counts that add up to the rows of the tensor
   */
  public static List<Tensor> split(Tensor tensor, int[] counts) {
    requireSum(counts, tensor.shape().dim(0));
    Shape row = tensor.shape().row();
    long perRow = row.elementCount();
    List<Tensor> parts = new ArrayList<>(counts.length);
    long at = 0;
    for (int count : counts) {
      long end = skip(tensor, at, count * perRow);
      parts.add(new Tensor(tensor.type(), row.batchOf(count), tensor.data().asSlice(at, end - at)));
      at = end;
    }
    return parts;
  }

  private static void requireSum(int[] counts, long expected) {
    long rows = 0;
    for (int count : counts) {
      rows += count;
    }
    if (rows != expected) {
      throw new IllegalArgumentException(
          "counts: %d rows in all (expected: %d)".formatted(rows, expected));
    }
  }

  private static long skip(Tensor tensor, long from, long elements) {
    return tensor.type() == DataType.BYTES
        ? ByteStrings.skip(tensor.data(), from, elements)
        : from + elements * tensor.type().byteSize();
  }

  private static void requireLike(Tensor first, Tensor part) {
    if (part.type() != first.type() || !part.shape().row().equals(first.shape().row())) {
      throw new IllegalArgumentException(
          "rows: %s %s (expected: rows like %s %s)"
              .formatted(part.type(), part.shape(), first.type(), first.shape()));
    }
  }
}
