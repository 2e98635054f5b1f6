package meridian.core.tensor;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The element types of the Open Inference Protocol, by their names there. */
public enum DataType {
  BOOL(1),
  UINT8(1),
  UINT16(2),
  UINT32(4),
  UINT64(8),
  INT8(1),
  INT16(2),
  INT32(4),
  INT64(8),
  FP16(2),
  BF16(2),
  FP32(4),
  FP64(8),
  /** Byte strings of any length, each behind its length as a little-endian uint32. */
  BYTES(0);

  private static final Map<String, DataType> BY_NAME =
      Stream.of(values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));

  private final int byteSize;

  DataType(int byteSize) {
    this.byteSize = byteSize;
  }

  /** The type of that name, or null where the protocol has none. */
  public static @Nullable DataType named(String name) {
    return BY_NAME.get(name);
  }

  /** Bytes per element; 0 for {@link #BYTES}, whose elements vary. */
  public int byteSize() {
    return byteSize;
  }

  public boolean isFixedSize() {
    return byteSize > 0;
  }
}
