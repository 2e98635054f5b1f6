package meridian.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** Tensors of every type, shape and bit pattern, from a seed. */
public final class RandomTensors {

  private static final int MAX_RANK = 4;
  private static final int MAX_DIM = 5;

  private final Random random;

  public RandomTensors(long seed) {
    this.random = new Random(seed);
  }

  public List<NamedTensor> several() {
    List<NamedTensor> tensors = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      DataType[] types = DataType.values();
      tensors.add(new NamedTensor("t" + i, next(types[random.nextInt(types.length)])));
    }
    return tensors;
  }

  public Tensor next(DataType type) {
    Shape shape = shape();
    int count = (int) shape.elementCount();
    return switch (type) {
      case BYTES -> Tensor.ofStrings(shape, strings(count));
      case BOOL -> new Tensor(type, shape, booleans(count));
      default -> new Tensor(type, shape, bits(count * type.byteSize()));
    };
  }

  private Shape shape() {
    long[] dims = new long[random.nextInt(MAX_RANK + 1)];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = random.nextInt(MAX_DIM + 1);
    }
    return Shape.of(dims);
  }

  private MemorySegment bits(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return MemorySegment.ofArray(bytes);
  }

  private MemorySegment booleans(int count) {
    MemorySegment data = bits(count);
    for (int i = 0; i < count; i++) {
      data.set(ValueLayout.JAVA_BYTE, i, (byte) (data.get(ValueLayout.JAVA_BYTE, i) & 1));
    }
    return data;
  }

  private List<byte[]> strings(int count) {
    boolean text = random.nextBoolean();
    List<byte[]> strings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      strings.add(text ? text(bytes) : bytes);
    }
    return strings;
  }

  private byte[] text(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      int point =
          switch (b & 3) {
            case 0 -> b & 0x7F;
            case 1 -> 0x80 + random.nextInt(0x700);
            case 2 -> 0xE000 + random.nextInt(0x1000);
            default -> 0x10000 + random.nextInt(0x10000);
          };
      text.appendCodePoint(point);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
