package meridian.protocol.grpc;

import java.util.Locale;
import java.util.function.ToIntFunction;
import meridian.core.tensor.DataType;
import meridian.proto.InferTensorContents;
import org.jspecify.annotations.Nullable;

/** The typed fields, by their names in the message. */
enum ContentsField {
  BOOL_CONTENTS(InferTensorContents::getBoolContentsCount),
  INT_CONTENTS(InferTensorContents::getIntContentsCount),
  INT64_CONTENTS(InferTensorContents::getInt64ContentsCount),
  UINT_CONTENTS(InferTensorContents::getUintContentsCount),
  UINT64_CONTENTS(InferTensorContents::getUint64ContentsCount),
  FP32_CONTENTS(InferTensorContents::getFp32ContentsCount),
  FP64_CONTENTS(InferTensorContents::getFp64ContentsCount),
  BYTES_CONTENTS(InferTensorContents::getBytesContentsCount);

  private final ToIntFunction<InferTensorContents> counter;
  private final String label = name().toLowerCase(Locale.ROOT);

  ContentsField(ToIntFunction<InferTensorContents> counter) {
    this.counter = counter;
  }

  /** The field for a type, or null for those that travel raw only. */
  static @Nullable ContentsField of(DataType type) {
    return switch (type) {
      case BOOL -> BOOL_CONTENTS;
      case INT8, INT16, INT32 -> INT_CONTENTS;
      case INT64 -> INT64_CONTENTS;
      case UINT8, UINT16, UINT32 -> UINT_CONTENTS;
      case UINT64 -> UINT64_CONTENTS;
      case FP32 -> FP32_CONTENTS;
      case FP64 -> FP64_CONTENTS;
      case BYTES -> BYTES_CONTENTS;
      case FP16, BF16 -> null;
    };
  }

  int count(InferTensorContents contents) {
    return counter.applyAsInt(contents);
  }

  String label() {
    return label;
  }
}
