package meridian.onnx.file;

import org.jspecify.annotations.Nullable;

/** The messages of onnx.proto that a tensor can stand in, and in which of their fields. */
enum Message {
  MODEL,
  GRAPH,
  NODE,
  ATTRIBUTE,
  FUNCTION,
  TRAINING,
  SPARSE_TENSOR,
  TENSOR;

  /** What field {@code number} holds; null when there can be no tensor in it. */
  @Nullable Message child(int number) {
    return switch (this) {
      case MODEL ->
          switch (number) {
            case 7 -> GRAPH;
            case 20 -> TRAINING;
            case 25 -> FUNCTION;
            default -> null;
          };
      case GRAPH ->
          switch (number) {
            case 1 -> NODE;
            case 5 -> TENSOR;
            case 15 -> SPARSE_TENSOR;
            default -> null;
          };
      case NODE -> number == 5 ? ATTRIBUTE : null;
      case ATTRIBUTE ->
          switch (number) {
            case 5, 10 -> TENSOR;
            case 6, 11 -> GRAPH;
            case 22, 23 -> SPARSE_TENSOR;
            default -> null;
          };
      case FUNCTION ->
          switch (number) {
            case 7 -> NODE;
            case 11 -> ATTRIBUTE;
            default -> null;
          };
      case TRAINING -> number == 1 || number == 2 ? GRAPH : null;
      case SPARSE_TENSOR -> number == 1 || number == 2 ? TENSOR : null;
      case TENSOR -> null;
    };
  }
}
