package meridian.testkit.contract;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** Tensors to send, the same for the same seed. */
final class Samples {

  private static final List<String> WORDS =
      List.of("", "plain", "two words", "Zürich", "東京", "🌏🚀", "line\nbreak", "nul\0inside");

  private Samples() {}

  /** Any bits that the type has, NaN among them; BOOL only 0 and 1. */
  static Tensor random(DataType type, Shape shape, Random random) {
    int count = Math.toIntExact(shape.elementCount());
    if (type == DataType.BYTES) {
      return Tensor.ofStrings(
          shape, IntStream.range(0, count).mapToObj(_ -> randomBytes(random)).toList());
    }
    byte[] data = new byte[count * type.byteSize()];
    random.nextBytes(data);
    if (type == DataType.BOOL) {
      for (int i = 0; i < data.length; i++) {
        data[i] &= 1;
      }
    }
    return new Tensor(type, shape, MemorySegment.ofArray(data));
  }

  static Tensor floats(Random random, long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(-1_000, 1_000) / 8f;
    }
    return Tensor.ofFloats(shape, values);
  }

  static NamedTensor named(String name, Tensor tensor) {
    return new NamedTensor(name, tensor);
  }

  private static byte[] randomBytes(Random random) {
    if (random.nextBoolean()) {
      return WORDS.get(random.nextInt(WORDS.size())).getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }
}
