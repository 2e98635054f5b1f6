package meridian.protocol.control;

import meridian.core.tensor.DataType;
import org.jspecify.annotations.Nullable;

/** Element types by the names that configurations use: TYPE_STRING is BYTES. */
public final class ConfigTypes {

  private static final String PREFIX = "TYPE_";

  private ConfigTypes() {}

  public static meridian.proto.DataType of(DataType type) {
    return switch (type) {
      case BYTES -> meridian.proto.DataType.TYPE_STRING;
      default -> meridian.proto.DataType.valueOf(PREFIX + type.name());
    };
  }

  /** The core's type, or null for one that configurations may name but tensors not have. */
  public static @Nullable DataType toCore(meridian.proto.DataType type) {
    return type == meridian.proto.DataType.TYPE_STRING
        ? DataType.BYTES
        : DataType.named(type.name().replace(PREFIX, ""));
  }
}
