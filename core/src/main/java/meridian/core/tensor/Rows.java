package meridian.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/** Batches along the first dimension: joins tensors of like rows, and cuts rows out again. */
public final class Rows {

  /** Keeps every tensor at an address that each element type and vector load is happy with. */
  private static final long ALIGNMENT = 64;

  /** Memory on the heap, which needs no giving back. */
  public static final SegmentAllocator HEAP =
      (size, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(size)]);

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

  /**
   * As {@link #concat(List, SegmentAllocator)}, of tensors that differ in their second dimension:
   * each row is filled up behind its own elements.
   *
   * @param parts of one type of fixed size and one shape but for the first two dimensions
   * @param length of the second dimension, at least that of the longest part
   * @param fill one element in the raw form of the type
   */
  public static Tensor concat(
      List<Tensor> parts, long length, byte[] fill, SegmentAllocator allocator) {
    Tensor first = parts.getFirst();
    Shape padded = first.shape().with(1, length);
    long rows = 0;
    for (Tensor part : parts) {
      requireLike(first.type(), padded, part.type(), part.shape().with(1, length));
      rows += part.shape().dim(0);
    }
    long rowBytes = padded.row().elementCount() * first.type().byteSize();
    MemorySegment data = allocator.allocate(rows * rowBytes, ALIGNMENT);
    long at = 0;
    for (Tensor part : parts) {
      long end = at + part.shape().dim(0) * rowBytes;
      fillUp(part, data.asSlice(at, end - at), rowBytes, fill);
      at = end;
    }
    return new Tensor(first.type(), padded.with(0, rows), data);
  }

  private static void fillUp(Tensor part, MemorySegment data, long rowBytes, byte[] fill) {
    long rows = part.shape().dim(0);
    long ownBytes = rows == 0 ? 0 : part.data().byteSize() / rows;
    for (long row = 0; row < rows; row++) {
      long at = row * rowBytes;
      MemorySegment.copy(part.data(), row * ownBytes, data, at, ownBytes);
      fill(data.asSlice(at + ownBytes, rowBytes - ownBytes), fill);
    }
  }

  /** By doubling what is filled, since elements are few bytes and rows may be long. */
  private static void fill(MemorySegment data, byte[] element) {
    long filled = Math.min(element.length, data.byteSize());
    MemorySegment.copy(MemorySegment.ofArray(element), 0, data, 0, filled);
    while (filled < data.byteSize()) {
      long more = Math.min(filled, data.byteSize() - filled);
      MemorySegment.copy(data, 0, data, filled, more);
      filled += more;
    }
  }

  /**
   * The first {@code length} of the second dimension of each row; a view of the same memory where
   * that lies in one piece.
   *
   * @param tensor of a type of fixed size, rank 2 or more
   */
  public static Tensor shorten(Tensor tensor, long length) {
    Shape shape = tensor.shape().with(1, length);
    long rows = shape.dim(0);
    if (length == tensor.shape().dim(1) || rows == 0) {
      return new Tensor(tensor.type(), shape, tensor.data());
    }
    long rowBytes = tensor.data().byteSize() / rows;
    long keptBytes = shape.row().elementCount() * tensor.type().byteSize();
    if (rows == 1) {
      return new Tensor(tensor.type(), shape, tensor.data().asSlice(0, keptBytes));
    }
    MemorySegment data = HEAP.allocate(rows * keptBytes, 1);
    for (long row = 0; row < rows; row++) {
      MemorySegment.copy(tensor.data(), row * rowBytes, data, row * keptBytes, keptBytes);
    }
    return new Tensor(tensor.type(), shape, data);
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
    requireLike(first.type(), first.shape(), part.type(), part.shape());
  }

  private static void requireLike(DataType type, Shape shape, DataType otherType, Shape other) {
    if (otherType != type || !other.row().equals(shape.row())) {
      throw new IllegalArgumentException(
          "rows: %s %s (expected: rows like %s %s)".formatted(otherType, other, type, shape));
    }
  }
}
