package meridian.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;

/** Compares tensors bit by bit; in JSON every NaN is the one NaN. */
public final class SameTensors {

  private SameTensors() {}

  public static void assertSameBits(List<NamedTensor> actual, List<NamedTensor> expected) {
    assertThat(actual).hasSameSizeAs(expected);
    for (int i = 0; i < actual.size(); i++) {
      assertThat(actual.get(i).name()).isEqualTo(expected.get(i).name());
      assertSameBits(actual.get(i).tensor(), expected.get(i).tensor());
    }
  }

  public static void assertSameBits(Tensor actual, Tensor expected) {
    assertThat(actual.type()).isEqualTo(expected.type());
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.data().toArray(ValueLayout.JAVA_BYTE))
        .as("%s %s", expected.type(), expected.shape())
        .isEqualTo(expected.data().toArray(ValueLayout.JAVA_BYTE));
  }

  /** The tensors with every NaN replaced by the one that JSON's token stands for. */
  public static List<NamedTensor> withOneNan(List<NamedTensor> tensors) {
    return tensors.stream()
        .map(named -> new NamedTensor(named.name(), withOneNan(named.tensor())))
        .toList();
  }

  private static Tensor withOneNan(Tensor tensor) {
    Tensor copy =
        new Tensor(
            tensor.type(),
            tensor.shape(),
            MemorySegment.ofArray(tensor.data().toArray(ValueLayout.JAVA_BYTE)));
    for (long i = 0; i < tensor.elementCount(); i++) {
      replaceNan(copy, i);
    }
    return copy;
  }

  private static void replaceNan(Tensor tensor, long i) {
    switch (tensor.type()) {
      case FP32 -> {
        float value = tensor.data().getAtIndex(Tensor.FP32, i);
        tensor.data().setAtIndex(Tensor.FP32, i, Float.isNaN(value) ? Float.NaN : value);
      }
      case FP64 -> {
        double value = tensor.data().getAtIndex(Tensor.FP64, i);
        tensor.data().setAtIndex(Tensor.FP64, i, Double.isNaN(value) ? Double.NaN : value);
      }
      case FP16 -> replaceNan(tensor, i, 0x7C00, 0x7E00);
      case BF16 -> replaceNan(tensor, i, 0x7F80, 0x7FC0);
      default -> {}
    }
  }

  private static void replaceNan(Tensor tensor, long i, int infinity, int nan) {
    short bits = tensor.data().getAtIndex(Tensor.INT16, i);
    if ((bits & 0x7FFF) > infinity) {
      tensor.data().setAtIndex(Tensor.INT16, i, (short) nan);
    }
  }
}
