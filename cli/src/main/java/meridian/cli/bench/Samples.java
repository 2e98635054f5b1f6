package meridian.cli.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import meridian.core.model.Signature;
import meridian.core.tensor.BFloat16;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/**
 * Makes inputs that a model will take, from its signature alone: short English sentences for BYTES,
 * small whole numbers for integers (so that they are valid ids), ones for inputs named like a mask,
 * zeros for those named like a token type, and numbers from 0 to 1 for the rest.
 *
 * @param rows for the first dimension of a batched signature
 * @param lengths for every other dimension that varies; one request has one length
 */
public record Samples(Signature signature, int rows, Lengths lengths, RandomGenerator random) {

  private static final int IDS = 1_000;
  private static final List<String> SENTENCES =
      List.of(
          "Where is my order?",
          "The delivery arrived two days late and the box was open.",
          "Running shoes for wet trails, size 42, wide fit.",
          "Best ramen near the station that is open after midnight",
          "How do I reset the password of my account?",
          "A quiet hotel by the sea with breakfast and a pool for children.",
          "Cancel my subscription, please.",
          "The battery lasts about nine hours when the screen is dimmed.");

  public List<NamedTensor> next() {
    int length = lengths.next(random);
    List<NamedTensor> inputs = new ArrayList<>(signature.inputs().size());
    for (TensorSpec spec : signature.inputs()) {
      inputs.add(new NamedTensor(spec.name(), tensor(spec, length)));
    }
    return inputs;
  }

  private Tensor tensor(TensorSpec spec, int length) {
    Shape shape = concrete(spec.shape(), length);
    int elements = Math.toIntExact(shape.elementCount());
    if (spec.type() == DataType.BYTES) {
      return Tensor.ofStrings(shape, sentences(elements));
    }
    MemorySegment data = MemorySegment.ofArray(new byte[elements * spec.type().byteSize()]);
    IntUnaryOperator ids = ids(spec.name());
    for (int i = 0; i < elements; i++) {
      put(spec.type(), data, i, ids.applyAsInt(i));
    }
    return new Tensor(spec.type(), shape, data);
  }

  private IntUnaryOperator ids(String name) {
    if (name.contains("mask")) {
      return _ -> 1;
    }
    return name.contains("type") ? _ -> 0 : _ -> random.nextInt(IDS);
  }

  private Shape concrete(Shape shape, int length) {
    long[] dims = shape.toArray();
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] == Shape.ANY) {
        dims[i] = i == 0 ? rows : length;
      }
    }
    return Shape.of(dims);
  }

  private List<byte[]> sentences(int count) {
    List<byte[]> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String text = SENTENCES.get(random.nextInt(SENTENCES.size()));
      texts.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static void put(DataType type, MemorySegment data, long i, int id) {
    float real = (float) id / IDS;
    switch (type) {
      case BOOL -> data.set(ValueLayout.JAVA_BYTE, i, (byte) (id & 1));
      case INT8, UINT8 -> data.set(ValueLayout.JAVA_BYTE, i, (byte) (id & 0x7f));
      case INT16, UINT16 -> data.set(Tensor.INT16, i * 2, (short) id);
      case INT32, UINT32 -> data.set(Tensor.INT32, i * 4, id);
      case INT64, UINT64 -> data.set(Tensor.INT64, i * 8, id);
      case FP16 -> data.set(Tensor.INT16, i * 2, Float.floatToFloat16(real));
      case BF16 -> data.set(Tensor.INT16, i * 2, BFloat16.fromFloat(real));
      case FP32 -> data.set(Tensor.FP32, i * 4, real);
      case FP64 -> data.set(Tensor.FP64, i * 8, real);
      case BYTES -> throw new IllegalStateException("type: BYTES (expected: a fixed size)");
    }
  }
}
