package meridian.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Tensor;

/** A tensor on one line for a person: type, shape and its first elements. */
final class TensorText {

  private static final int SHOWN = 6;

  private TensorText() {}

  static String of(Tensor tensor) {
    String kind = tensor.type() + " " + tensor.shape();
    return switch (tensor.type()) {
      case FP32 -> kind + " " + shown(floats(tensor), tensor);
      case INT64 -> kind + " " + shown(longs(tensor), tensor);
      case BYTES -> kind + " " + shown(strings(tensor), tensor);
      default -> kind + " " + tensor.data().byteSize() + " bytes";
    };
  }

  private static String shown(List<String> elements, Tensor tensor) {
    String more = tensor.elementCount() > SHOWN ? ", …" : "";
    return "[" + String.join(", ", elements) + more + "]";
  }

  private static List<String> floats(Tensor tensor) {
    List<String> texts = new ArrayList<>();
    for (long i = 0; i < Math.min(SHOWN, tensor.elementCount()); i++) {
      texts.add(String.format(Locale.ROOT, "%.5g", tensor.data().get(Tensor.FP32, i * 4)));
    }
    return texts;
  }

  private static List<String> longs(Tensor tensor) {
    List<String> texts = new ArrayList<>();
    for (long i = 0; i < Math.min(SHOWN, tensor.elementCount()); i++) {
      texts.add(Long.toString(tensor.data().get(Tensor.INT64, i * DataType.INT64.byteSize())));
    }
    return texts;
  }

  private static List<String> strings(Tensor tensor) {
    return tensor.toStrings().stream()
        .limit(SHOWN)
        .map(bytes -> '"' + new String(bytes, StandardCharsets.UTF_8) + '"')
        .toList();
  }
}
