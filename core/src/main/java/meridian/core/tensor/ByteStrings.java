package meridian.core.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The raw form of BYTES: each element's length as a little-endian uint32, then its bytes. */
public final class ByteStrings {

  private static final int PREFIX = Integer.BYTES;

  private ByteStrings() {}

  public static MemorySegment encode(List<byte[]> elements) {
    long size = 0;
    for (byte[] element : elements) {
      size += PREFIX + element.length;
    }
    MemorySegment data = MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
    long at = 0;
    for (byte[] element : elements) {
      data.set(Tensor.INT32, at, element.length);
      MemorySegment.copy(element, 0, data, ValueLayout.JAVA_BYTE, at + PREFIX, element.length);
      at += PREFIX + element.length;
    }
    return data;
  }

  /**
   * @throws IllegalArgumentException if the framing is broken; see {@link #count}
   */
  public static List<byte[]> decode(MemorySegment data) {
    List<byte[]> elements = new ArrayList<>();
    for (long at = 0; at < data.byteSize(); at = next(data, at)) {
      elements.add(data.asSlice(at + PREFIX, length(data, at)).toArray(ValueLayout.JAVA_BYTE));
    }
    return elements;
  }

  /**
   * The number of elements, or −1 when a prefix is cut off or claims more than is there. Allocates
   * nothing, so that it can judge what a stranger sent.
   */
  public static long count(MemorySegment data) {
    long size = data.byteSize();
    long at = 0;
    long count = 0;
    while (at < size) {
      if (size - at < PREFIX || length(data, at) > size - at - PREFIX) {
        return -1;
      }
      at = next(data, at);
      count++;
    }
    return count;
  }

  /** The offset of element {@code index} counted from the element at {@code from}. */
  static long skip(MemorySegment data, long from, long index) {
    long at = from;
    for (long i = 0; i < index; i++) {
      at = next(data, at);
    }
    return at;
  }

  private static long next(MemorySegment data, long at) {
    return at + PREFIX + length(data, at);
  }

  private static long length(MemorySegment data, long at) {
    return Integer.toUnsignedLong(data.get(Tensor.INT32, at));
  }
}
