package meridian.core.backend;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import meridian.core.model.Signature;
import meridian.core.tensor.BFloat16;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/**
 * Random rows for a model of which only the signature is known. Rows differ in magnitude, so that a
 * scale taken over all of them shows. Masks are ones, kinds of tokens 0.
 *
 * @param size of the dimensions that vary
 * @param bound of whole numbers, exclusive
 * @param shapes by input, the shape of one row, for dimensions that vary
 */
record ProbeInputs(int size, int bound, Map<String, List<Long>> shapes, RandomGenerator random) {

  private static final double[] MAGNITUDES = {1, 4, 0.25, 2};

  /** A value for each input, of one row. */
  List<NamedTensor> row(Signature signature, int index) {
    double magnitude = MAGNITUDES[index % MAGNITUDES.length];
    List<NamedTensor> row = new ArrayList<>();
    for (TensorSpec spec : signature.inputs()) {
      row.add(new NamedTensor(spec.name(), tensor(spec, magnitude)));
    }
    return row;
  }

  private Tensor tensor(TensorSpec spec, double magnitude) {
    Shape shape = oneRow(spec);
    int count = Math.toIntExact(shape.elementCount());
    if (spec.type() == DataType.BYTES) {
      return Tensor.ofStrings(shape, random.ints(count).mapToObj(ProbeInputs::text).toList());
    }
    int width = spec.type().byteSize();
    MemorySegment data = MemorySegment.ofArray(new byte[Math.multiplyExact(count, width)]);
    for (int i = 0; i < count; i++) {
      put(data, (long) i * width, spec, magnitude);
    }
    return new Tensor(spec.type(), shape, data);
  }

  private Shape oneRow(TensorSpec spec) {
    return spec.shape().with(0, 1).filled(1, shapes.getOrDefault(spec.name(), List.of()), size);
  }

  private void put(MemorySegment data, long at, TensorSpec spec, double magnitude) {
    switch (spec.type()) {
      case FP64 -> data.set(Tensor.FP64, at, random.nextGaussian() * magnitude);
      case FP32 -> data.set(Tensor.FP32, at, (float) (random.nextGaussian() * magnitude));
      case FP16 -> data.set(Tensor.INT16, at, Float.floatToFloat16(real(magnitude)));
      case BF16 -> data.set(Tensor.INT16, at, BFloat16.fromFloat(real(magnitude)));
      default -> Elements.setWhole(data, at, spec.type(), whole(spec));
    }
  }

  private float real(double magnitude) {
    return (float) (random.nextGaussian() * magnitude);
  }

  private int whole(TensorSpec spec) {
    if (spec.name().contains("mask")) {
      return 1;
    }
    if (spec.name().contains("token_type") || spec.name().contains("segment")) {
      return 0;
    }
    return random.nextInt(bound(spec.type()));
  }

  private int bound(DataType type) {
    return switch (type) {
      case BOOL -> 2;
      case INT8, UINT8 -> Math.min(bound, Byte.MAX_VALUE);
      default -> bound;
    };
  }

  private static byte[] text(int number) {
    return ("text " + number).getBytes(StandardCharsets.UTF_8);
  }
}
